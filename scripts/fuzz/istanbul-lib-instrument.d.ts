/** As much as is used here of a package without types of its own. */

declare module 'istanbul-lib-instrument' {
  export interface Instrumenter {
    instrumentSync(code: string, file: string): string;
  }
  export function createInstrumenter(options: {
    readonly esModules: boolean;
    readonly produceSourceMap: boolean;
  }): Instrumenter;
}
