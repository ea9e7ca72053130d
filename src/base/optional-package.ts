/** Loads modules that need a package which an installation may lack. */

/** An optional package is not installed. The message is a sentence that says what to do. */
export class MissingPackage extends Error {
  constructor(name: string, purpose: string) {
    const cause = `The package ${name}, which ${purpose} needs, is not installed.`;
    super(`${cause} Run npm install ${name}.`);
    this.name = 'MissingPackage';
  }
}

/**
 * Loads a module.
 * @param purpose - what needs the package, as the subject of a sentence
 * @throws MissingPackage where the package is not installed
 */
export const withOptionalPackage = async <Module>(
  name: string,
  purpose: string,
  load: () => Promise<Module>,
): Promise<Module> => {
  try {
    return await load();
  } catch (error) {
    const isLacking =
      error instanceof Error &&
      ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes(Reflect.get(error, 'code')) &&
      new RegExp(`['"]${name}['"/]`).test(error.message);
    throw isLacking ? new MissingPackage(name, purpose) : error;
  }
};
