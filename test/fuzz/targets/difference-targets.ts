/** Our readers beside independent ones: xml2js, the platform's URLSearchParams and JSON.parse, where those are right. */

import { isDeepStrictEqual } from 'node:util';
import type { FuzzTarget } from '../../../scripts/fuzz/target';
import { writeJson } from '../../../src/base/json/write-json';
import { MalformedText } from '../../../src/base/malformed-text';
import { readLimits } from '../../../src/base/read-limits';
import { utf8 } from '../../../src/engine/media-types/codec/codec';
import { decodeFormText, parseFormFields } from '../../../src/engine/media-types/forms/form-fields';
import { parseJson } from '../../../src/engine/media-types/json/json';
import { parseXml } from '../../../src/engine/media-types/xml/parser/xml-parser';
import { drawXml } from './draw-xml';
import { shown } from './reading';
import { tokens } from './tokens';
import { readByXml2js, treeOf } from './xml-trees';

/** A text that only the other reader takes, or reads wrongly. The reasons are the documentation. */
interface Exception {
  readonly reason: string;
  /** @param refusal our sentence; undefined where we read the text */
  applies(text: string, refusal: string | undefined): boolean;
}

interface Comparison {
  readonly ours: (text: string) => unknown;
  /** Throws SyntaxError, or an Error of its own, where it refuses. */
  readonly theirs: (text: string) => unknown;
  readonly exceptions: readonly Exception[];
}

type Result = { readonly value: unknown } | { readonly refusal: string };

const resultOf = (read: () => unknown, isRefusal: (error: unknown) => boolean): Result => {
  try {
    return { value: read() };
  } catch (error) {
    if (isRefusal(error)) return { refusal: error instanceof Error ? error.message : '' };
    throw error;
  }
};

/** @throws Error where they differ, and no exception says why */
const compare = ({ ours, theirs, exceptions }: Comparison, text: string): void => {
  const our = resultOf(
    () => ours(text),
    (error) => error instanceof MalformedText,
  );
  const refusal = 'refusal' in our ? our.refusal : undefined;
  if (exceptions.some(({ applies }) => applies(text, refusal))) return;
  const their = resultOf(
    () => theirs(text),
    (error) => error instanceof Error,
  );
  if ('refusal' in our && 'refusal' in their) return;
  if ('value' in our && 'value' in their && isDeepStrictEqual(our.value, their.value)) return;
  throw new Error(`Ours: ${shown(our)}, theirs: ${shown(their)}, of ${JSON.stringify(text)}`);
};

/** Makes a target whose bytes are text in UTF-8. */
const target = (
  comparison: Comparison,
  rest: Pick<FuzzTarget, 'seeds' | 'tokens'>,
): FuzzTarget => ({
  ...rest,
  isTimed: false,
  run(input) {
    const decoded = resultOf(
      () => utf8.decode(input, undefined),
      (error) => error instanceof MalformedText,
    );
    if ('value' in decoded) compare(comparison, String(decoded.value));
  },
});

const refusedFor =
  (pattern: RegExp): Exception['applies'] =>
  (_text, refusal) =>
    refusal !== undefined && pattern.test(refusal);

const forms: Comparison = {
  ours: (text) => {
    const fields = parseFormFields(text, () => true, readLimits);
    return [...fields].map(([name, { raw }]) => [name, raw.map((one) => decodeFormText(one))]);
  },
  theirs: (text) => {
    const given = new URLSearchParams(text);
    return [...new Set(given.keys())].map((name) => [name, given.getAll(name)]);
  },
  exceptions: [
    {
      reason: 'URLSearchParams leaves out a question mark at the start',
      applies: (text) => text.startsWith('?'),
    },
    {
      reason:
        'it takes a percent sign without two digits for itself, and other bytes than UTF-8 for U+FFFD',
      applies: refusedFor(/percent sign/),
    },
    { reason: 'it takes U+0000, which no database stores', applies: refusedFor(/U\+0000/) },
    { reason: 'it knows no bounds', applies: refusedFor(/too many|too deep/) },
  ],
};

const json: Comparison = {
  // -0 is written as 0, and what no double reaches as null.
  ours: (text) => JSON.parse(JSON.stringify(JSON.parse(writeJson(parseJson(text))))),
  theirs: (text) => JSON.parse(JSON.stringify(JSON.parse(text))),
  exceptions: [
    {
      reason: 'JSON.parse takes repeated names (RFC 8259 section 4)',
      applies: refusedFor(/repeated|twice/),
    },
    {
      reason: 'it takes halves of surrogate pairs and U+0000',
      applies: refusedFor(/surrogate|U\+0000/),
    },
    { reason: 'it takes numbers out of range for infinity', applies: refusedFor(/range/) },
    { reason: 'it knows no bounds', applies: refusedFor(/too many|too deep|deeply/) },
  ],
};

/** Only what we read is asked of xml2js: it takes much that is not well-formed. */
const xml: Comparison = {
  ours: (text) => treeOf(parseXml(text)),
  theirs: readByXml2js,
  exceptions: [
    {
      reason: 'xml2js reads much that is not well-formed',
      applies: (_text, refusal) => refusal !== undefined,
    },
    {
      reason: 'it does not see the end of an instruction behind a question mark',
      applies: (text) => text.includes('??>'),
    },
    {
      reason: 'it knows no names with letters beyond U+FFFF (XML 1.0, fifth edition, section 2.3)',
      applies: (text) => /[<:/ ][\w:.-]*[\u{10000}-\u{10ffff}]/u.test(text),
    },
    { reason: 'it leaves line ends as they are', applies: (text) => text.includes('\r') },
  ],
};

const bufferOf = (text: string): Buffer => Buffer.from(text);

/** URLSearchParams is the reader of the URL Standard. */
export const formDifference = (): FuzzTarget =>
  target(forms, {
    tokens: tokens.form,
    seeds: ['a=1&b=%C3%A9&a=2', '=&==&&a', 'a[b]=c+d', '%F0%9F%98%80=%2B'].map(bufferOf),
  });

/** JSON.parse is the reader of ECMAScript. */
export const jsonDifference = (): FuzzTarget =>
  target(json, {
    tokens: tokens.json,
    seeds: ['{"a":[1,-0.5e2,true,null],"__proto__":{}}', '"\\u00e9\\ud83d\\ude00"', ' [ ] '].map(
      bufferOf,
    ),
  });

/** Compares XML with the reading of xml2js. */
export const xmlDifference = (): FuzzTarget =>
  target(xml, {
    tokens: tokens.xml,
    seeds: [
      '<?xml version="1.0" encoding="UTF-8"?><!-- c --><a b="1">x<c/>y</a>',
      '<p:a xmlns:p="urn:p" p:b="&lt;&#65;"><p:c xmlns="urn:q"><d/></p:c></p:a>',
      '<a><![CDATA[<b>]]>&amp;<?pi x?></a>',
    ].map(bufferOf),
  });

/** Both read what is well-formed, however it is spelt, as it was meant. */
export const xmlStructure = (): FuzzTarget => ({
  tokens: [],
  isTimed: false,
  seeds: [[0], [1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 3, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]].map((bytes) =>
    Buffer.from(bytes),
  ),
  run(input) {
    const { text, tree } = drawXml(input);
    const ours = treeOf(parseXml(text));
    if (!isDeepStrictEqual(ours, tree)) {
      throw new Error(`Read ${shown(ours)}, meant ${shown(tree)}, of ${JSON.stringify(text)}`);
    }
    compare(xml, text);
  },
});
