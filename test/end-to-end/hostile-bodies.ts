/** Bodies that no operation may take: by format, around a good body of the operation. */

/** What is sent, by what it tries. */
export type HostileBodies = Readonly<Record<string, string | Uint8Array>>;

const depth = 10_000;
const many = 150_000;

const utf8 = (text: string) => Buffer.from(text, 'utf8');

/** Bytes around a place in the text where `@` stands. */
const withBytes = (text: string, ...bytes: number[]): Buffer => {
  const [before = '', after = ''] = text.split('@');
  return Buffer.concat([utf8(before), Buffer.from(bytes), utf8(after)]);
};

/** The text, cut after every few characters: none of the parts is whole. */
export const truncations = (text: string): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / 7) - 1 }, (_, index) =>
    text.slice(0, (index + 1) * 7),
  );

/**
 * JSON that is none, or that holds what no text may hold.
 * @param put puts further members into a good body
 */
export const hostileJson = (put: (members: string) => string): HostileBodies => ({
  'nothing but a brace': '{',
  'a word': 'undefined',
  'a comment': `/* good */ ${put('')}`,
  'a second value': `${put('')} {}`,
  'a closing brace more': `${put('')}}`,
  'a trailing comma': put(',"x":1,'),
  'a missing value': put(',"x":'),
  'single quotes': put(",'x':1"),
  'a bare name': put(',x:1'),
  NaN: put(',"x":NaN'),
  Infinity: put(',"x":-Infinity'),
  'a hexadecimal number': put(',"x":0x10'),
  'a leading zero': put(',"x":012'),
  'a leading plus': put(',"x":+1'),
  'a lone point': put(',"x":1.'),
  'an unknown escape': put(',"x":"\\x41"'),
  'half an escape': put(',"x":"\\u00"'),
  'half a surrogate pair, escaped': put(',"x":"\\ud83d"'),
  'a surrogate pair the wrong way round': put(',"x":"\\udc36\\ud83d"'),
  'half a surrogate pair in a name': put(',"\\ud83d":1'),
  'U+0000, escaped': put(',"x":"a\\u0000b"'),
  'U+0000 in a name': put(',"\\u0000":1'),
  'U+0000, raw': put(',"x":"\u0000"'),
  'a line break in a text': put(',"x":"a\nb"'),
  'a tab in a text': put(',"x":"a\tb"'),
  'a repeated name': put(',"x":1,"x":1'),
  'a repeated name, escaped once': put(',"x":1,"\\u0078":1'),
  'a repeated name below': put(',"x":{"y":1,"y":2}'),
  'deep lists': put(`,"x":${'['.repeat(depth)}${']'.repeat(depth)}`),
  'deep objects': put(`,"x":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  'deep lists without an end': '['.repeat(depth * 10),
  'very many items': put(`,"x":[${'0,'.repeat(many)}0]`),
  'very many members': put(`,"x":{${Array.from({ length: many }, (_, i) => `"${i}":0`)}}`),
  'bytes that are not UTF-8': withBytes(put(',"x":"@"'), 0xff, 0xfe),
  'an overlong slash': withBytes(put(',"x":"@"'), 0xc0, 0xaf),
  'a surrogate in UTF-8': withBytes(put(',"x":"@"'), 0xed, 0xa0, 0x80),
  'half a character': withBytes(put(',"x":"@"'), 0xe2, 0x82),
  'UTF-16': Buffer.from(`\ufeff${put('')}`, 'utf16le'),
  XML: '<pet/>',
});

const bomb = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from(
  { length: 20 },
  (_, i) =>
    `<!ENTITY ${String.fromCharCode(98 + i)} "${`&${String.fromCharCode(97 + i)};`.repeat(10)}">`,
).join('')}]>`;

/**
 * XML that is not well-formed, or that asks for what no service should do.
 * @param put puts further elements into a good document
 */
export const hostileXml = (put: (elements: string) => string): HostileBodies => ({
  'nothing but a bracket': '<',
  'a text': 'Rex',
  'a second root': `${put('')}<x/>`,
  'text after the root': `${put('')}x`,
  'text before the root': `x${put('')}`,
  'an unclosed element': put('<x>'),
  'a wrong end': put('<x></y>'),
  'an end without a start': put('</x>'),
  'overlapping elements': put('<x><y></x></y>'),
  'a bare ampersand': put('<x>a & b</x>'),
  'an unknown entity': put('<x>&nbsp;</x>'),
  'an entity without an end': put('<x>&amp</x>'),
  'a bare less-than sign': put('<x>a < b</x>'),
  'an unquoted attribute': put('<x a=1/>'),
  'an attribute without a value': put('<x a/>'),
  'a repeated attribute': put('<x a="1" a="2"/>'),
  'a less-than sign in an attribute': put('<x a="<"/>'),
  'an undeclared prefix': put('<u:x/>'),
  'an unclosed comment': put('<!-- x'),
  'two hyphens in a comment': put('<!-- a -- b -->'),
  'an unclosed CDATA section': put('<![CDATA[ x'),
  'the end of a CDATA section alone': put('<x>]]></x>'),
  'a declaration in the middle': put('<?xml version="1.0"?>'),
  'a blank before the declaration': ` <?xml version="1.0"?>${put('')}`,
  'an unknown version': `<?xml version="9.9"?>${put('')}`,
  'an unknown encoding': `<?xml version="1.0" encoding="x-unknown"?>${put('')}`,
  'a DOCTYPE': `<!DOCTYPE pet>${put('')}`,
  'a DOCTYPE from elsewhere': `<!DOCTYPE pet SYSTEM "http://127.0.0.1:1/x.dtd">${put('')}`,
  'an entity': `<!DOCTYPE x [<!ENTITY e "x">]>${put('<x>&e;</x>')}`,
  'a file as entity': `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${put('<x>&e;</x>')}`,
  'a parameter entity': `<!DOCTYPE x [<!ENTITY % e SYSTEM "http://127.0.0.1:1/"> %e;]>${put('')}`,
  'an entity bomb': `${bomb}${put('<x>&u;</x>')}`,
  'U+0000 as reference': put('<x>&#0;</x>'),
  'U+0000, raw': put('<x>\u0000</x>'),
  'a control character': put('<x>\u0001</x>'),
  'a control character as reference': put('<x>&#x1;</x>'),
  'half a surrogate pair': put('<x>&#xD83D;</x>'),
  'a character beyond Unicode': put('<x>&#x110000;</x>'),
  'a reference of very many digits': put(`<x>&#${'9'.repeat(5000)};</x>`),
  'U+FFFE': put('<x>\ufffe</x>'),
  'deep elements': put('<x>'.repeat(depth) + '</x>'.repeat(depth)),
  'deep elements without an end': '<x>'.repeat(depth * 10),
  'very many elements': put('<x/>'.repeat(many)),
  'very many attributes': put(
    `<x ${Array.from({ length: many }, (_, i) => `a${i}=""`).join(' ')}/>`,
  ),
  'bytes that are not UTF-8': withBytes(put('<x>@</x>'), 0xff, 0xfe),
  'an overlong slash': withBytes(put('<x>@</x>'), 0xc0, 0xaf),
  'UTF-16 with half a character': Buffer.from(`\ufeff${put('<x>\ud83d</x>')}`, 'utf16le'),
  'UTF-16 that ends amid a unit': Buffer.from(`\ufeff${put('')}`, 'utf16le').subarray(0, -1),
  'a UTF-16 declaration before UTF-8': `<?xml version="1.0" encoding="utf-16"?>${put('')}`,
  JSON: '{}',
});

/**
 * Forms that cannot be decoded, or that say a thing twice.
 * @param good a good form
 * @param field a property of one value
 */
export const hostileForms = (good: string, field: string): HostileBodies => ({
  'a bare percent sign': `${good}&x=%`,
  'half a triple': `${good}&x=%4`,
  'a triple that is none': `${good}&x=%zz`,
  'a broken name': `${good}&%zz=1`,
  'bytes that are not UTF-8': `${good}&x=%ff%fe`,
  'an overlong slash': `${good}&x=%c0%af`,
  'a surrogate': `${good}&x=%ed%a0%80`,
  'U+0000': `${good}&x=a%00b`,
  'U+0000 in a name': `${good}&%00=1`,
  'raw bytes that are not UTF-8': withBytes(`${good}&x=@`, 0xff),
  'one value twice': `${good}&${field}=1&${field}=1`,
  'very many fields': `${good}${'&x=1'.repeat(many)}`,
  'very many different fields': `${good}${Array.from({ length: many }, (_, i) => `&f${i}=`).join('')}`,
  'a declared charset that is not UTF-8': Buffer.from(`${good}&x=é`, 'latin1'),
});
