/** The text of a module of handlers that are still to be written, formatted as the project's own code. */

import { lineWidth, printStub, typeImport } from '../../../src/tool/stubs/print-stub';
import { pascalCase, typeNames } from '../../../src/tool/types/type-names';
import { docComment, quoteText } from '../../../src/tool/types/type-text';

/** A module of handlers. */
interface NewModule {
  readonly tag: string;
  /** The interface of the tag's operations in `types.ts`. */
  readonly group: string;
  /** The operations that it handles. */
  readonly operationIds: readonly string[];
  /** True where the interface has others. */
  readonly isPart: boolean;
  /** The name of what it exports. */
  readonly factory: string;
  /** The path by which it imports the engine: `../../src/engine`. */
  readonly engine: string;
}

/** A name for what a module exports: `storeHandlers`. */
export const factoryName = (file: string): string => {
  const name = pascalCase(file.replace(/-handlers$/, ''));
  return typeNames()(`${name.charAt(0).toLowerCase()}${name.slice(1)}Handlers`);
};

const declaration = ({ factory, group, operationIds, isPart }: NewModule): string => {
  const start = `export const ${factory} = (): Handlers<`;
  if (!isPart) return `${start}${group}> => ({`;
  const ids = operationIds.map(quoteText);
  const line = `${start}Pick<${group}, ${ids.join(' | ')}>> => ({`;
  if (line.length <= lineWidth) return line;
  const inner = `  Pick<${group}, ${ids.join(' | ')}>`;
  const lines =
    inner.length <= lineWidth
      ? inner
      : `  Pick<\n    ${group},\n${ids.map((id) => `    | ${id}`).join('\n')}\n  >`;
  return `${start}\n${lines}\n> => ({`;
};

/** The text of a new module. */
export const printModule = (module: NewModule): string => {
  const { tag, group, operationIds, engine } = module;
  const stubs = operationIds.map((id) => printStub(id, '  ')).join('\n\n');
  return `${docComment([`The operations tagged \`${tag}\`.`])}
${typeImport('Handlers', engine)}
${typeImport(group, './types')}

${docComment([`Handlers of operations tagged \`${tag}\`. One that needs collections takes \`Dependencies\` of ./collections.`])}${declaration(module)}
${stubs}
});
`;
};
