/** The names of elements and attributes: each value, and the XML that stands for it in both directions. */

const string = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
/** A namespace. */
export const N = 'http://example.com/schema/sample';

/** A value and its XML, without the declaration. */
export interface XmlCase {
  readonly title: string;
  readonly schema: object;
  readonly components?: Record<string, object>;
  readonly value: unknown;
  readonly xml: string;
}

/** An object under the root <book>. */
export const book = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties,
  xml: { name: 'book' },
  ...more,
});
const array = (items: object, xml?: object): object => ({
  type: 'array',
  items,
  ...(xml ? { xml } : {}),
});

export const xmlNameCases: readonly XmlCase[] = [
  {
    title: 'X01 an element is named after its property',
    schema: book({ id: int64, title: string }),
    value: { id: 9223372036854775807n, title: 'One' },
    xml: '<book><id>9223372036854775807</id><title>One</title></book>',
  },
  {
    title: 'X02 xml.name replaces the name of an element',
    schema: book({ title: { ...string, xml: { name: 'heading' } } }),
    value: { title: 'One' },
    xml: '<book><heading>One</heading></book>',
  },
  {
    title: 'X02 xml.name replaces the name of an attribute',
    schema: book({ id: { ...int64, xml: { name: 'key', attribute: true } } }),
    value: { id: 7n },
    xml: '<book key="7"/>',
  },
  {
    title: 'X03 an attribute of the enclosing element',
    schema: book({ id: { type: 'integer', xml: { attribute: true } }, name: string }),
    value: { id: 5, name: 'a "b"' },
    xml: '<book id="5"><name>a "b"</name></book>',
  },
  {
    title: 'X03 blanks in an attribute survive',
    schema: book({ note: { ...string, xml: { attribute: true } } }),
    value: { note: 'a\tb\nc "d" <&>' },
    xml: '<book note="a&#9;b&#10;c &quot;d&quot; &lt;&amp;&gt;"/>',
  },
  {
    title: 'X04 an array without wrapped is repeated siblings',
    schema: book({ animals: array(string) }),
    value: { animals: ['dog', 'cat'] },
    xml: '<book><animals>dog</animals><animals>cat</animals></book>',
  },
  {
    title: 'X05 siblings carry the item name',
    schema: book({ animals: array({ ...string, xml: { name: 'animal' } }) }),
    value: { animals: ['dog', 'cat'] },
    xml: '<book><animal>dog</animal><animal>cat</animal></book>',
  },
  {
    title: 'X06 the name of an unwrapped array is ignored',
    schema: book({ animals: array({ ...string, xml: { name: 'animal' } }, { name: 'aliens' }) }),
    value: { animals: ['dog'] },
    xml: '<book><animal>dog</animal></book>',
  },
  {
    title: 'X06 even when the items have none',
    schema: book({ animals: array(string, { name: 'aliens' }) }),
    value: { animals: ['dog', 'cat'] },
    xml: '<book><animals>dog</animals><animals>cat</animals></book>',
  },
  {
    title: 'X07 wrapped without names',
    schema: book({ books: array(string, { wrapped: true }) }),
    value: { books: ['one', 'two'] },
    xml: '<book><books><books>one</books><books>two</books></books></book>',
  },
  {
    title: 'X08 wrapped with the item name alone',
    schema: book({ books: array({ ...string, xml: { name: 'item' } }, { wrapped: true }) }),
    value: { books: ['one'] },
    xml: '<book><books><item>one</item></books></book>',
  },
  {
    title: 'X09 wrapped with the outer name alone',
    schema: book({ books: array(string, { name: 'aliens', wrapped: true }) }),
    value: { books: ['one', 'two'] },
    xml: '<book><aliens><aliens>one</aliens><aliens>two</aliens></aliens></book>',
  },
  {
    title: 'X10 wrapped with both names',
    schema: book({
      books: array({ ...string, xml: { name: 'item' } }, { name: 'aliens', wrapped: true }),
    }),
    value: { books: ['one'] },
    xml: '<book><aliens><item>one</item></aliens></book>',
  },
  {
    title: 'X10 a component of arrays of objects, as contracts write it',
    schema: ref('Customer'),
    components: {
      Customer: {
        type: 'object',
        xml: { name: 'customer' },
        properties: { address: array(ref('Address'), { name: 'addresses', wrapped: true }) },
      },
      Address: { type: 'object', xml: { name: 'address' }, properties: { city: string } },
    },
    value: { address: [{ city: 'Nice' }, { city: 'Lyon' }] },
    xml: '<customer><addresses><address><city>Nice</city></address><address><city>Lyon</city></address></addresses></customer>',
  },
  {
    title: 'X11 wrapped outside an array has no effect',
    schema: book({ title: { ...string, xml: { wrapped: true } } }),
    value: { title: 'One' },
    xml: '<book><title>One</title></book>',
  },
  {
    title: 'X12 prefix and namespace of an element, as in the specification',
    schema: ref('Person'),
    components: {
      Person: {
        type: 'object',
        properties: {
          id: { type: 'integer', format: 'int32', xml: { attribute: true } },
          name: { ...string, xml: { namespace: N, prefix: 'sample' } },
        },
      },
    },
    value: { id: 123, name: 'example' },
    xml: `<Person id="123"><sample:name xmlns:sample="${N}">example</sample:name></Person>`,
  },
  {
    title: 'X12 a prefixed root, whose prefix is not declared again inside',
    schema: book(
      { title: { ...string, xml: { prefix: 's', namespace: N } }, plain: string },
      { xml: { name: 'book', prefix: 's', namespace: N } },
    ),
    value: { title: 'One', plain: 'Two' },
    xml: `<s:book xmlns:s="${N}"><s:title>One</s:title><plain>Two</plain></s:book>`,
  },
  {
    title: 'X12 a default namespace holds for the elements inside',
    schema: book(
      { title: string, inner: { type: 'object', properties: { a: string } } },
      { xml: { name: 'book', namespace: N } },
    ),
    value: { title: 'One', inner: { a: 'x' } },
    xml: `<book xmlns="${N}"><title>One</title><inner><a>x</a></inner></book>`,
  },
  {
    title: 'X12 a prefixed attribute',
    schema: book({
      lang: { ...string, xml: { attribute: true, prefix: 's', namespace: N } },
    }),
    value: { lang: 'en' },
    xml: `<book xmlns:s="${N}" s:lang="en"/>`,
  },
  {
    title: 'X12 an attribute in a namespace without a prefix is given one',
    schema: book({
      a: { ...string, xml: { attribute: true, namespace: N } },
      b: { ...string, xml: { attribute: true, namespace: `${N}/2` } },
    }),
    value: { a: '1', b: '2' },
    xml: `<book xmlns:ns="${N}" ns:a="1" xmlns:ns_="${N}/2" ns_:b="2"/>`,
  },
  {
    title: 'X12 a prefix alone means what the root binds it to',
    schema: book(
      { title: { ...string, xml: { prefix: 's' } } },
      { xml: { name: 'book', prefix: 's', namespace: N } },
    ),
    value: { title: 'One' },
    xml: `<s:book xmlns:s="${N}"><s:title>One</s:title></s:book>`,
  },
  {
    title: 'X12 a prefix that nothing binds is bound to a name of our own',
    schema: book({ title: { ...string, xml: { prefix: 's' } } }),
    value: { title: 'One' },
    xml: '<book><s:title xmlns:s="urn:prefix:s">One</s:title></book>',
  },
  {
    title: 'X13 a namespace may have a fragment',
    schema: book({ title: { ...string, xml: { namespace: `${N}#part`, prefix: 's' } } }),
    value: { title: 'One' },
    xml: `<book><s:title xmlns:s="${N}#part">One</s:title></book>`,
  },
  {
    title: 'X14 plurals are not invented inside a body',
    schema: book({ child: array(string, { wrapped: true }) }),
    value: { child: ['a'] },
    xml: '<book><child><child>a</child></child></book>',
  },
  {
    title: 'X15 a component at the root takes its own name',
    schema: ref('ApiResponse'),
    components: { ApiResponse: { type: 'object', properties: { code: { type: 'integer' } } } },
    value: { code: 404 },
    xml: '<ApiResponse><code>404</code></ApiResponse>',
  },
  {
    title: 'X16 the root element takes the xml.name of its schema',
    schema: ref('Pet'),
    components: { Pet: { type: 'object', xml: { name: 'pet' }, properties: { name: string } } },
    value: { name: 'Rex' },
    xml: '<pet><name>Rex</name></pet>',
  },
  {
    title: 'X17 items take the xml.name of the component, siblings of $ref do not count',
    schema: book({ tags: array({ ...ref('Tag'), xml: { name: 'no' } }, { wrapped: true }) }),
    components: { Tag: { type: 'object', xml: { name: 'tag' }, properties: { id: int64 } } },
    value: { tags: [{ id: 1n }, { id: 2n }] },
    xml: '<book><tags><tag><id>1</id></tag><tag><id>2</id></tag></tags></book>',
  },
  {
    title: 'X18 a component of a property replaces the name of the property',
    schema: book({ kind: ref('Category') }),
    components: {
      Category: { type: 'object', xml: { name: 'category' }, properties: { id: int64 } },
    },
    value: { kind: { id: 1n } },
    xml: '<book><category><id>1</id></category></book>',
  },
  {
    title: 'X18 properties that would share a name keep their own',
    schema: book({ billing: ref('Address'), delivery: ref('Address'), city: string }),
    components: {
      Address: { type: 'object', xml: { name: 'address' }, properties: { city: string } },
    },
    value: { billing: { city: 'Nice' }, delivery: { city: 'Lyon' }, city: 'Metz' },
    xml: '<book><billing><city>Nice</city></billing><delivery><city>Lyon</city></delivery><city>Metz</city></book>',
  },
  {
    title: 'X18 a name that is freed may collide in its turn',
    schema: book({
      a: { ...string, xml: { name: 'b' } },
      b: string,
      c: { ...string, xml: { name: 'a' } },
    }),
    value: { a: '1', b: '2', c: '3' },
    xml: '<book><a>1</a><b>2</b><c>3</c></book>',
  },
  {
    title: 'X18 an attribute and an element may share a name',
    schema: book({
      a: { ...string, xml: { name: 'x', attribute: true } },
      b: { ...string, xml: { name: 'x' } },
    }),
    value: { a: '1', b: '2' },
    xml: '<book x="1"><x>2</x></book>',
  },
  {
    title: 'X19 an inline object is named after its type',
    schema: { type: 'object', properties: { a: string } },
    value: { a: 'x' },
    xml: '<object><a>x</a></object>',
  },
  {
    title: 'X19 an illegal xml.name counts as none',
    schema: book({ title: { ...string, xml: { name: '##default' } } }),
    value: { title: 'One' },
    xml: '<book><title>One</title></book>',
  },
  {
    title: 'X20 a root array of a named component',
    schema: array(ref('Pet')),
    components: { Pet: { type: 'object', xml: { name: 'pet' }, properties: { name: string } } },
    value: [{ name: 'Rex' }, { name: 'Tom' }],
    xml: '<pets><pet><name>Rex</name></pet><pet><name>Tom</name></pet></pets>',
  },
  {
    title: 'X20 a root array whose items have only a component name',
    schema: array(ref('Ad')),
    components: { Ad: { type: 'object', properties: { title: string } } },
    value: [{ title: 'x' }],
    xml: '<Ads><Ad><title>x</title></Ad></Ads>',
  },
  {
    title: 'X20 a root array with a name of its own',
    schema: array(ref('Pet'), { name: 'zoo', wrapped: true }),
    components: { Pet: { type: 'object', xml: { name: 'pet' }, properties: {} } },
    value: [{}],
    xml: '<zoo><pet/></zoo>',
  },
  {
    title: 'X20 a root array that is a component',
    schema: ref('Herd'),
    components: { Herd: array(string) },
    value: ['a'],
    xml: '<Herd><string>a</string></Herd>',
  },
  {
    title: 'X20 a root array of inline items',
    schema: array(string),
    value: ['a', 'b'],
    xml: '<strings><string>a</string><string>b</string></strings>',
  },
  { title: 'X21 a root string', schema: string, value: 'token', xml: '<string>token</string>' },
  { title: 'X21 a root integer', schema: int64, value: 5n, xml: '<integer>5</integer>' },
  {
    title: 'arrays in arrays: every inner array has an element of its own',
    schema: book({ rows: array(array({ type: 'integer' })) }),
    value: { rows: [[1, 2], [], [3]] },
    xml: '<book><rows><rows>1</rows><rows>2</rows></rows><rows/><rows><rows>3</rows></rows></book>',
  },
];
