/** Texts that would be markup or script if they were not escaped. */

/** Puts a text before every text of a value, but for those under the keys. */
export const withHostileTexts = <Value>(
  value: Value,
  hostile: string,
  kept: readonly string[],
): Value =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    typeof inner === 'string' && !kept.includes(key) ? hostile + inner : inner,
  );

/** By what they try. */
export const hostileTexts: readonly (readonly [string, string])[] = [
  ['a script', '<script>hacked = 1</script>'],
  ['the end of our script', '</script><script>hacked = 1</script>'],
  ['the end of our style', '</style></title><img src=x onerror="hacked = 1">'],
  ['the end of an attribute', `"><svg onload=hacked=1> ' onmouseover='hacked = 1`],
  ['a comment', '<!-- <![CDATA[ --!>'],
  ['a link', 'javascript:hacked=1//'],
  ['a reference', '&lt;script&gt;hacked = 1&lt;/script&gt; &amp;'],
];
