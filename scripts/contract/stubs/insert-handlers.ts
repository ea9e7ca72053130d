/** Puts handlers at the end of those that a module has, by TypeScript's parser, and leaves the rest of it as it is. */

import type * as ts from 'typescript-5';
import { printStub } from './print-module';

type Compiler = typeof ts;

/** The result of a factory: the object literal, and its declared type. */
interface Returned {
  readonly object: ts.ObjectLiteralExpression;
  readonly type: ts.TypeNode;
}

const isExported = (compiler: Compiler, statement: ts.Statement): boolean =>
  compiler.canHaveModifiers(statement) &&
  (compiler.getModifiers(statement) ?? []).some(
    ({ kind }) => kind === compiler.SyntaxKind.ExportKeyword,
  );

type Factory = ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration;

const isFactory = (compiler: Compiler, node: ts.Node | undefined): node is Factory =>
  node !== undefined &&
  (compiler.isArrowFunction(node) ||
    compiler.isFunctionExpression(node) ||
    compiler.isFunctionDeclaration(node));

/** The functions that a module exports. */
const factoriesOf = (compiler: Compiler, source: ts.SourceFile): readonly Factory[] =>
  source.statements
    .filter((statement) => isExported(compiler, statement))
    .flatMap((statement): readonly (ts.Node | undefined)[] =>
      compiler.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ initializer }) => initializer)
        : [statement],
    )
    .filter((node) => isFactory(compiler, node));

/** Finds the expression that a function returns at its end. */
const lastExpression = (compiler: Compiler, { body }: Factory): ts.Expression | undefined => {
  if (body === undefined || !compiler.isBlock(body)) return body;
  const last = body.statements.at(-1);
  return last !== undefined && compiler.isReturnStatement(last) ? last.expression : undefined;
};

const returnedBy = (compiler: Compiler, factory: Factory): Returned | undefined => {
  let { type } = factory;
  let expression = lastExpression(compiler, factory);
  while (expression !== undefined) {
    if (compiler.isObjectLiteralExpression(expression)) {
      return type === undefined ? undefined : { object: expression, type };
    }
    if (compiler.isSatisfiesExpression(expression)) type ??= expression.type;
    else if (!compiler.isParenthesizedExpression(expression)) return undefined;
    ({ expression } = expression);
  }
  return undefined;
};

/** `Handlers<PetOperations>`, or `Handlers<Operations>`, and nothing narrower. */
const takes = (type: ts.TypeNode, group: string): boolean =>
  [`Handlers<${group}>`, 'Handlers<Operations>'].includes(type.getText().replaceAll(/\s/g, ''));

/** Gives the blanks at the beginning of a position's line. */
const indentAt = (text: string, position: number): string => {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
};

const beginsLine = (text: string, position: number): boolean =>
  /(?:^|\n)[ \t]*$/.test(text.slice(0, position));

/** The text with the handlers after the last member; a blank line between them where the members have one. */
const withMembers = (
  text: string,
  object: ts.ObjectLiteralExpression,
  operationIds: readonly string[],
): string => {
  const close = object.getEnd() - 1;
  const last = object.properties.at(-1);
  const outer = indentAt(text, close);
  const indent =
    last !== undefined && beginsLine(text, last.getStart())
      ? indentAt(text, last.getStart())
      : `${outer}  `;
  const stubs = operationIds.map((id) => printStub(id, indent)).join('\n\n');
  if (last === undefined)
    return `${text.slice(0, close).trimEnd()}\n${stubs}\n${outer}${text.slice(close)}`;
  const comma = object.properties.hasTrailingComma ? '' : ',';
  // Comments after the last member stay where they are.
  const between = text.slice(last.getEnd(), close).trimEnd();
  return `${text.slice(0, last.getEnd())}${comma}${between}\n\n${stubs}\n${outer}${text.slice(close)}`;
};

/**
 * The module's text with handlers that answer 501; undefined where it exports no function that returns an object literal of the
 * type `Handlers<GROUP>`.
 */
export const insertHandlers = async (
  text: string,
  group: string,
  operationIds: readonly string[],
): Promise<string | undefined> => {
  // Needed by this command alone, and no part of a server's installation.
  const { default: compiler } = await import('typescript-5');
  const { Latest } = compiler.ScriptTarget;
  const source = compiler.createSourceFile('module.ts', text, Latest, true);
  const fitting = factoriesOf(compiler, source)
    .map((factory) => returnedBy(compiler, factory))
    .find((returned) => returned !== undefined && takes(returned.type, group));
  return fitting && withMembers(text, fitting.object, operationIds);
};
