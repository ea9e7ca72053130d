/** Writes the tags of XML elements and declares each namespace where it comes into use. */

import { memoize } from '../../../base/memoize';
import { escapeAttribute, escapeText } from '../../schema/xml-object';
import { XSI_NAMESPACE } from './parser/xml-element';
import type { XmlName } from './xml-names';

/** A namespace declaration in force, and those around it. */
export interface Scope {
  readonly prefix: string;
  readonly namespace: string;
  readonly outer: Scope | undefined;
}

/** Writes a value as one element of the given name. */
export type WriteElement = (value: unknown, name: XmlName, scope: Scope | undefined) => string;

/** What attributes add to a start tag: text that begins with a space, and declarations. */
export interface WrittenAttribute {
  readonly text: string;
  readonly scope: Scope | undefined;
}

/** Writes an element. What is inside is written in the scope that its name and its attributes make. */
export function writeElement(
  name: XmlName,
  scope: Scope | undefined,
  writeContent: (inner: Scope | undefined) => string,
  writeAttributes = noAttributes,
): string {
  const { tag, declaration, inner } = openScope(name, scope);
  const attributes = writeAttributes(inner);
  const content = writeContent(attributes.scope);
  const start = `<${tag}${declaration}${attributes.text}`;
  return content === '' ? `${start}/>` : `${start}>${content}</${tag}>`;
}

/** The tags of an element whose content is written by itself, in the scope `inner`. */
interface ElementTags {
  readonly start: string;
  readonly end: string;
  /** The whole element, where it has no content. */
  readonly empty: string;
  readonly inner: Scope | undefined;
}

function makeTags(name: XmlName, scope: Scope | undefined): ElementTags {
  const { tag, declaration, inner } = openScope(name, scope);
  const start = `<${tag}${declaration}`;
  return { start: `${start}>`, end: `</${tag}>`, empty: `${start}/>`, inner };
}

/** The tags of names without a namespace, outside of any: they are the same each time. */
const plainTags = memoize((name: XmlName) => makeTags(name, undefined));

/** Writes the tags of an element without attributes. */
export const elementTags = (name: XmlName, scope: Scope | undefined): ElementTags =>
  scope === undefined && name.namespace === undefined ? plainTags(name) : makeTags(name, scope);

/** An element around its content. */
export const enclose = ({ start, end, empty }: ElementTags, content: string): string =>
  content === '' ? empty : start + content + end;

const noAttributes = (scope: Scope | undefined): WrittenAttribute => ({ text: '', scope });

/** Writes an element that holds text; empty text keeps both tags. */
export function writeTextElement(text: string, name: XmlName, scope: Scope | undefined): string {
  const { start, end } = elementTags(name, scope);
  return start + escapeText(text) + end;
}

/** Writes null (XML Schema Part 1, section 2.6.2). */
export const writeNil = (name: XmlName, scope: Scope | undefined): string =>
  writeElement(
    name,
    scope,
    () => '',
    (inner) => ({ text: ` xmlns:xsi="${XSI_NAMESPACE}" xsi:nil="true"`, scope: inner }),
  );

/** Writes an attribute. A prefix that means another namespace already is changed, because one tag cannot bind it twice. */
export function writeAttribute(
  text: string,
  { local, prefix, namespace }: XmlName,
  scope: Scope | undefined,
): WrittenAttribute {
  const value = `="${escapeAttribute(text)}"`;
  if (namespace === undefined) return { text: ` ${local}${value}`, scope };
  let free = prefix ?? 'ns';
  while (![undefined, namespace].includes(findNamespace(free, scope))) free += '_';
  const attribute = ` ${free}:${local}${value}`;
  if (findNamespace(free, scope) === namespace) return { text: attribute, scope };
  return {
    text: ` xmlns:${free}="${escapeAttribute(namespace)}"${attribute}`,
    scope: { prefix: free, namespace, outer: scope },
  };
}

/** The scope inside an element of this name, and what its start tag has to declare for it. */
function openScope(
  { local, prefix, namespace }: XmlName,
  scope: Scope | undefined,
): { readonly tag: string; readonly declaration: string; readonly inner: Scope | undefined } {
  const tag = prefix === undefined ? local : `${prefix}:${local}`;
  if (namespace === undefined || findNamespace(prefix ?? '', scope) === namespace) {
    return { tag, declaration: '', inner: scope };
  }
  const attribute = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
  return {
    tag,
    declaration: ` ${attribute}="${escapeAttribute(namespace)}"`,
    inner: { prefix: prefix ?? '', namespace, outer: scope },
  };
}

function findNamespace(prefix: string, scope: Scope | undefined): string | undefined {
  if (scope === undefined || scope.prefix === prefix) return scope?.namespace;
  return findNamespace(prefix, scope.outer);
}
