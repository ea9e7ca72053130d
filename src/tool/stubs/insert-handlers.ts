/** Puts handlers at the end of those that a module has, by TypeScript's parser, and leaves the rest of it as it is. */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
// Types alone: the project that is written into brings the compiler.
import type * as ts from 'typescript-5';
import { printStub } from './print-stub';

type Compiler = typeof ts;

/** Loads the compiler that modules in a folder use; undefined where there is none, or one that other programs cannot call. */
export const compilerFor = (folder: string, name = 'typescript'): Compiler | undefined => {
  const load = createRequire(resolve(folder, 'package.json'));
  const isFound = (load.resolve.paths(name) ?? []).some((path) => existsSync(join(path, name)));
  const compiler: Partial<Compiler> = isFound ? load(name) : {};
  return compiler.createSourceFile && (compiler as Compiler);
};

interface ModuleValue {
  readonly expression: ts.Expression | undefined;
  readonly type: ts.TypeNode | undefined;
}

const variablesOf = (compiler: Compiler, statement: ts.Statement) =>
  compiler.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [];

const resultsOf = (compiler: Compiler, source: ts.SourceFile): readonly ModuleValue[] => {
  const isExported = (statement: ts.Statement): boolean =>
    compiler.canHaveModifiers(statement) &&
    (compiler.getModifiers(statement) ?? []).some(
      ({ kind }) => kind === compiler.SyntaxKind.ExportKeyword,
    );
  // The expression that a function returns at its end.
  const lastExpression = (body: ts.ConciseBody | undefined): ts.Expression | undefined => {
    if (body === undefined || !compiler.isBlock(body)) return body;
    const last = body.statements.at(-1);
    return last !== undefined && compiler.isReturnStatement(last) ? last.expression : undefined;
  };
  return source.statements
    .filter(isExported)
    .flatMap((statement) => [
      statement,
      ...variablesOf(compiler, statement).map(({ initializer }) => initializer),
    ])
    .filter(
      (node) =>
        node !== undefined &&
        (compiler.isArrowFunction(node) ||
          compiler.isFunctionExpression(node) ||
          compiler.isFunctionDeclaration(node)),
    )
    .map((factory) => ({ expression: lastExpression(factory.body), type: factory.type }));
};

const typedLiteral = (compiler: Compiler, value: ModuleValue) => {
  let { type, expression } = value;
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

const indentAt = (text: string, position: number): string => {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
};

/** The text with the handlers after the last member; a blank line between them where the members have one. */
const withMembers = (
  text: string,
  object: ts.ObjectLiteralExpression,
  operationIds: readonly string[],
): string => {
  const close = object.getEnd() - 1;
  const last = object.properties.at(-1);
  const outer = indentAt(text, close);
  const beginsLine = last && /(?:^|\n)[ \t]*$/.test(text.slice(0, last.getStart()));
  const indent = last && beginsLine ? indentAt(text, last.getStart()) : `${outer}  `;
  const stubs = operationIds.map((id) => printStub(id, indent)).join('\n\n');
  if (last === undefined)
    return `${text.slice(0, close).trimEnd()}\n${stubs}\n${outer}${text.slice(close)}`;
  const comma = object.properties.hasTrailingComma ? '' : ',';
  // Comments after the last member stay where they are.
  const between = text.slice(last.getEnd(), close).trimEnd();
  return `${text.slice(0, last.getEnd())}${comma}${between}\n\n${stubs}\n${outer}${text.slice(close)}`;
};

/**
 * The module's text with handlers that answer 501; undefined where it has no object literal in that place.
 * @param place the interfaces of operations, by which the handlers may be typed: `Operations` for `Handlers<Operations>`, with or without
 * a context, and nothing narrower; and whether an object that is declared will do, or a function must return it
 */
export const insertHandlers = (
  compiler: Compiler,
  text: string,
  place: { readonly interfaces: readonly string[]; readonly mayBeObject: boolean },
  operationIds: readonly string[],
): string | undefined => {
  const { interfaces, mayBeObject } = place;
  const { Latest } = compiler.ScriptTarget;
  const source = compiler.createSourceFile('module.ts', text, Latest, true);
  const variables = source.statements.flatMap((statement) => variablesOf(compiler, statement));
  const objects = variables.map(({ initializer, type }) => ({ expression: initializer, type }));
  // Handlers may say the type of their context, too.
  const types = interfaces.flatMap((name) => [`Handlers<${name}>`, `Handlers<${name},`]);
  const fitting = [...(mayBeObject ? objects : []), ...resultsOf(compiler, source)]
    .map((value) => typedLiteral(compiler, value))
    .find((found) =>
      types.some((type) => found?.type.getText().replaceAll(/\s/g, '').startsWith(type)),
    );
  return fitting && withMembers(text, fitting.object, operationIds);
};
