/** Values that SQLite gives at once and PostgreSQL later, so that one program serves from either. */

/** A value that is there, or will be. */
export type Soon<Value> = Value | Promise<Value>;

/** The same functions, each free to give its value later. */
export type Later<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => infer Value
    ? (...args: Args) => Soon<Value>
    : never;
};

/** Goes on with the value: at once where it is there, so that SQLite pays for no promise. */
export const whenThere = <Value, Next>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Next>,
): Soon<Next> => (value instanceof Promise ? value.then(next) : next(value));
