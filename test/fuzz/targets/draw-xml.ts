/** Draws well-formed XML: a tree, and one of the many ways to spell it. */

import { escapeAttribute, escapeText } from '../../../src/schema/xml-object';
import { type Choices, choicesOf } from './choices';
import { meant, normalAttributes, type XmlTree } from './xml-trees';

const names = ['a', 'b', '_', 'é', 'a-b.c1', 'constructor', '__proto__', 'toString'];
const prefixes = ['', 'p', 'q'] as const;
const namespaces = ['urn:a', 'urn:b#c'] as const;
const texts = ['', 'x', '<&>"\'', 'é😀', ' y ', ']]>', '&amp;', '1', 'x\ny'];
const values = ['', 'x', '<&>"\'', 'é😀', ' y ', '&#65;'];
const blanks = ['', ' ', '\n', '\t '];
const fillers = ['', '<!-- - c -->', '<?pi a="b"?>', '<?p?>'];

/** One character, written by its number. */
const byNumber = (text: string, isHexadecimal: boolean): string =>
  [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      return isHexadecimal ? `&#x${code.toString(16)};` : `&#${code};`;
    })
    .join('');

const spellText = (text: string, choices: Choices): string => {
  const spellings = [
    escapeText(text),
    byNumber(text, true),
    byNumber(text, false),
    text.includes(']]>') ? escapeText(text) : `<![CDATA[${text}]]>`,
  ];
  return choices.pick(fillers) + choices.pick(spellings) + choices.pick(fillers);
};

const spellValue = (value: string, choices: Choices): string => {
  const escaped = choices.pick([
    escapeAttribute(value),
    byNumber(value, true),
    byNumber(value, false),
  ]);
  const quote = choices.pick(['"', "'"]);
  return quote + escaped.replaceAll("'", '&apos;') + quote;
};

interface Drawn {
  readonly text: string;
  readonly tree: XmlTree;
}

type Bindings = Readonly<Record<string, string>>;

const qualified = (prefix: string, local: string): string =>
  prefix === '' ? local : `${prefix}:${local}`;

/** Namespaces that an element declares; the root declares all prefixes. */
const declare = (choices: Choices, isRoot: boolean): Bindings => {
  const declared = prefixes.filter((prefix) => (isRoot && prefix !== '') || choices.below(8) === 1);
  return Object.fromEntries(declared.map((prefix) => [prefix, choices.pick(namespaces)]));
};

const drawAttributes = (choices: Choices, bindings: Bindings) =>
  // Without prefixes, two names are never one in the end.
  names.slice(0, choices.below(3)).map((local) => {
    const prefix = choices.below(4) === 1 && local === 'a' ? 'p' : '';
    const namespace = prefix === '' ? '' : (bindings[prefix] ?? '');
    return { name: qualified(prefix, local), namespace, value: choices.pick(values) };
  });

const drawElement = (choices: Choices, around: Bindings, depth: number): Drawn => {
  const declared = declare(choices, depth === 0);
  const bindings = { ...around, ...declared };
  const prefix = choices.pick(prefixes);
  const name = qualified(prefix, choices.pick(names));
  const attributes = drawAttributes(choices, bindings);
  const text = choices.pick(texts);
  const children = Array.from({ length: depth < 5 ? choices.below(4) : 0 }, () =>
    drawElement(choices, bindings, depth + 1),
  );
  const written = [
    ...Object.entries(declared).map(([one, namespace]) => [
      one === '' ? 'xmlns' : `xmlns:${one}`,
      namespace,
    ]),
    ...attributes.map((one) => [one.name, one.value]),
  ].map(([key = '', value = '']) => {
    const equals = `${choices.pick(blanks)}=${choices.pick(blanks)}`;
    return ` ${choices.pick(blanks)}${key}${equals}${spellValue(value, choices)}`;
  });
  const start = `<${name}${written.join('')}${choices.pick(blanks)}`;
  const content =
    spellText(text, choices) + children.map((child) => child.text + choices.pick(fillers)).join('');
  const end =
    content === '' && choices.below(2) === 0
      ? '/>'
      : `>${content}</${name}${choices.pick(blanks)}>`;
  return {
    text: start + end,
    tree: {
      name,
      namespace: bindings[prefix] ?? '',
      attributes: normalAttributes(attributes.map((one) => [one.name, one.namespace, one.value])),
      text: meant(text),
      children: children.map((child) => child.tree),
    },
  };
};

const declarations = [
  '',
  '<?xml version="1.0"?>',
  "<?xml version='1.1' encoding=\"UTF-8\" standalone='yes' ?>\n",
  '\ufeff',
];

/** Draws the tree and the spelling that the bytes choose. */
export const drawXml = (bytes: Uint8Array): Drawn => {
  const choices = choicesOf(bytes);
  const before = choices.pick(declarations) + choices.pick(blanks) + choices.pick(fillers);
  const root = drawElement(choices, {}, 0);
  return {
    tree: root.tree,
    text: before + root.text + choices.pick(blanks) + choices.pick(fillers),
  };
};
