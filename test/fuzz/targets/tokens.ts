/** Pieces of the formats, to change texts with. */

const markup = [
  ...['<', '>', '/>', '</', '&', ';', '<![CDATA[', ']]>', '<!--', '-->', '<?a ?>', '<!DOCTYPE a>'],
  ...[
    '<?xml version="1.0" encoding="utf-16"?>',
    '&#0;',
    '&#x10FFFF;',
    '&lt;',
    '&nbsp;',
    '<a>',
    '</a>',
  ],
  ...[' xmlns="u"', ' xmlns:p="u"', '<p:a/>', ' xsi:nil="true"', " a='1'", 'xml:', '_x0061_'],
];
const structure = ['{', '}', '[', ']', ',', ':', '"', "'", '\\', '{"a":', '[1]', '""', '\\u0000'];
const values = ['null', 'true', '1e999', '-0', '0.1', '__proto__', 'constructor', '\\ud800', ' '];
const characters = ['\0', '\n', '\r\n', '\t', '\ufeff', '\u0085', 'é', '😀', '\u2028'];
const encoded = [
  '%',
  '%00',
  '%ff',
  '%C3%A9',
  '%5B',
  '%2C',
  '+',
  '&',
  '=',
  '[]',
  '[0]',
  '[a]',
  '?',
  '#',
];
const blocks = [
  ...['- ', '? ', ': ', '&a ', '*a', '<<: ', '!!set ', '!!binary ', '!<t> ', '|', '>-', '---\n'],
  ...['...\n', '%YAML 1.1\n', '.inf', '.nan', '~', '0o7', '\n  ', '# ', "''"],
];
const parts = [
  ...[
    '\r\n',
    '\r\n\r\n',
    '--b',
    '--b--',
    '--b\r\n',
    'Content-Disposition: form-data; name="',
    '"; filename="a"',
  ],
  ...[
    "; filename*=UTF-8''%41",
    'Content-Type: application/json\r\n',
    '; charset=utf-8',
    '; boundary=b',
  ],
];
const heads = [
  ...['GET ', 'POST ', 'OPTIONS * ', ' HTTP/1.1\r\n', ' HTTP/1.0\r\n', 'Host: a\r\n', 'Host:\r\n'],
  ...['Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n', '5\r\nabcde\r\n'],
  ...[
    'Expect: 100-continue\r\n',
    'Connection: close\r\n',
    'Upgrade: a\r\n',
    'Range: bytes=0-1\r\n',
  ],
  ...[
    'Accept: application/xml;q=0.5\r\n',
    'Accept-Encoding: gzip\r\n',
    'If-None-Match: *\r\n',
    '\r\n ',
    '..',
    '//',
  ],
];

/** By the name of the format. */
export const tokens = {
  json: [...structure, ...values, ...characters],
  xml: [...markup, ...values, ...characters],
  form: [...encoded, ...structure, ...values, ...characters],
  yaml: [...blocks, ...structure, ...values, ...characters],
  lines: [...structure, ...values, ...characters],
  parameters: [...encoded, ...structure, ...values, ...characters, ';', '.', '|', ',', 'a='],
  multipart: [...parts, ...structure, ...values, ...characters],
  http: [...heads, ...encoded, ...parts],
} as const;
