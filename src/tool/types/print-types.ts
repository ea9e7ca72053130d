/** A whole document as TypeScript text: a pure function of the document, the same text for the same document. */

import { groupBy } from '../../base/group-by';
import { printable } from '../../base/text/printable';
import type { ApiDocument } from '../../engine';
import { namedWebhooks } from '../../model/document';
import { type Operation, requestMethod } from '../../model/operation';
import { nameSchemas } from './named-schemas';
import { printComponents, printSchemas } from './print-components';
import { printOperation, printWebhook } from './print-operation';
import { pascalCase, typeNames } from './type-names';
import { block, docComment } from './type-text';

/** The parts of a loaded document that types are printed from. */
export type PrintableDocument = Pick<ApiDocument, 'name' | 'schemas' | 'operations' | 'webhooks'>;

/** The first words of a generated file, which mark it as such. */
export const GENERATED_MARK = '// Generated from ';

/**
 * The types of a document.
 * @param origin the file that they are generated from, and the command that does it
 * @param untyped operations that are not among those of the document
 */
export const printTypes = (
  document: PrintableDocument,
  origin: string,
  untyped: readonly Operation[] = [],
): string => {
  const { schemas, groups, sent, webhooks } = nameTypes(document);
  const names = groups.map(({ name }) => name).join(', ');
  const parents = names === '' ? '' : `extends ${names} `;
  const requests = [...sent].map(([own, webhook]) => printWebhook(own, webhook, schemas));
  const sending = `/** The requests that the API sends. */\nexport interface ${webhooks} ${block(requests)}`;
  const sections = [
    [
      `${GENERATED_MARK}${origin}. Do not edit.`,
      ...untyped.map(
        ({ method, path }) =>
          `// Not served, and without types: ${requestMethod(method)} ${printable(path)}`,
      ),
    ].join('\n'),
    ...printComponents(schemas),
    printSchemas(schemas, document.operations),
    ...groups.map(({ tag, name, operations }) => {
      const comment = docComment([`The operations tagged \`${tag}\`.`]);
      const members = operations.map((operation) => printOperation(operation, schemas));
      return `${comment}export interface ${name} ${block(members)}`;
    }),
    `/** Every operation of the document. */\nexport interface Operations ${parents}{}`,
    ...(sent.size === 0 ? [] : [sending]),
  ];
  return `${sections.join('\n\n')}\n`;
};

/** The operations of a tag, and the interface that types them. */
export interface OperationGroup {
  /** The first tag of each; `default` for those without. */
  readonly tag: string;
  readonly name: string;
  readonly operations: readonly Operation[];
}

const nameTypes = (document: PrintableDocument) => {
  const chooseName = typeNames();
  const sent = namedWebhooks(document);
  const all = [...document.operations, ...sent.values()];
  const schemas = nameSchemas(document.schemas, all, chooseName);
  // Of a repeated operationId only the first is served.
  const byId = [...groupBy(document.operations, ({ operationId }) => operationId).values()];
  const served = byId.flatMap((sameId) => sameId.slice(0, 1));
  const byTag = groupBy(served, ({ tags }) => tags[0] ?? 'default');
  const groups = [...byTag].map(([tag, operations]): OperationGroup => {
    return { tag, name: chooseName(`${pascalCase(tag)}Operations`), operations };
  });
  return { schemas, groups, sent, webhooks: chooseName('Webhooks') };
};

/** The groups of a document's operations, in the order of their first operations. */
export const operationGroups = (document: PrintableDocument): readonly OperationGroup[] =>
  nameTypes(document).groups;
