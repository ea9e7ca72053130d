/** Tells whether one caller has the server for itself. */

/** What requests tell of those who send them. */
export interface LoneCaller {
  /** To be called with the connection of each request. */
  note(connection: object): void;
  /** Whether the latest requests came on one connection, one after another. */
  isAlone(): boolean;
}

/** So many more requests of one connection in a row: callers that take turns are not taken for one. */
const enough = 4;

/** Watches requests. Whoever opens a connection for each request is never alone. */
export const loneCaller = (): LoneCaller => {
  let latest: object | undefined;
  let inARow = 0;
  return {
    note(connection) {
      inARow = connection === latest ? inARow + 1 : 0;
      latest = connection;
    },
    isAlone: () => inARow >= enough,
  };
};
