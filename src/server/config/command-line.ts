/** Reads the command line of the program. */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment, with what the command line says: `--strict` is `STRICT_DOCUMENTS=true`.
 * @throws Error where it says anything else
 */
export const withArguments = (environment: Environment, args: readonly string[]): Environment => {
  const unknown = args.find((arg) => arg !== '--strict');
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown} (available: --strict)`);
  return args.length === 0 ? environment : { ...environment, STRICT_DOCUMENTS: 'true' };
};
