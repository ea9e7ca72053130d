/** The script of the documentation page: it searches the operations, and sends requests to the service that the page is of. */

/**
 * The script. What it writes is text, never HTML; credentials stay in their fields. It is in the language of all browsers that have the
 * Fetch API.
 */
export const pageScript = String.raw`'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const base = new URL('..', location.href).href.replace(/\/$/, '');

for (const code of all('.address')) {
  code.textContent = code.textContent.replaceAll(document.body.dataset.url, base);
}

const search = document.getElementById('search');
const sections = all('section.item');
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const section of sections) {
    section.hidden = !words.every((word) => section.dataset.search.includes(word));
  }
  const found = sections.filter((section) => !section.hidden).length;
  document.getElementById('found').textContent =
    search.value.trim() === '' ? '' : found + ' of ' + sections.length;
});

const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
const partsOf = ({ dataset, value }) => {
  if (dataset.kind === 'list') return value.split(/\s*,\s*/);
  return dataset.kind === 'object' ? JSON.parse(value) : value;
};

/** Writes a parameter in one text, as the styles simple, label and matrix have it (RFC 6570). */
const plain = (field, write) => {
  const { style, explode, name } = field.dataset;
  const parts = partsOf(field);
  const mark = { label: '.', matrix: ';' }[style] || ',';
  const between = explode === 'true' && style !== 'simple' ? mark : ',';
  const start = style === 'simple' ? '' : mark;
  const own = style === 'matrix' ? write(name) + '=' : '';
  const pair = ([key, value]) =>
    write(key) + (explode === 'true' ? '=' : ',') + write(textOf(value));
  if (typeof parts === 'string') return start + own + write(parts);
  if (!Array.isArray(parts)) {
    return start + (explode === 'true' ? '' : own) + Object.entries(parts).map(pair).join(between);
  }
  if (style === 'matrix' && explode === 'true') return parts.map((one) => mark + own + write(one)).join('');
  return start + own + parts.map(write).join(between);
};

/** Writes a parameter of the query. */
const pairs = (field) => {
  const { style, explode, name } = field.dataset;
  const parts = partsOf(field);
  const pair = (key, value) => encodeURIComponent(key) + '=' + encodeURIComponent(textOf(value));
  if (typeof parts === 'string') return [pair(name, parts)];
  const members = Array.isArray(parts) ? parts.map((one) => [name, one]) : Object.entries(parts);
  if (style === 'deepObject') return members.map(([key, value]) => pair(name + '[' + key + ']', value));
  if (explode === 'true') return members.map(([key, value]) => pair(key, value));
  const texts = Array.isArray(parts) ? parts : members.flat();
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] || ',';
  return [encodeURIComponent(name) + '=' + texts.map((one) => encodeURIComponent(textOf(one))).join(delimiter)];
};

const cookies = [];
/** Pages set no header of cookies: one that the request needs lasts as long as it does. */
const setCookie = (name, value, end = '') => {
  document.cookie = name + '=' + value + ';path=' + new URL(base).pathname + ';samesite=strict' + end;
  if (end === '') cookies.push(name);
};
const dropCookies = () => {
  for (const name of cookies.splice(0)) setCookie(name, '', ';max-age=0');
};

const basic = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const addCredentials = (names, request) => {
  for (const field of all('[data-scheme]')) {
    const { scheme, place, name } = field.dataset;
    if (!names.includes(scheme) || field.value === '') continue;
    if (place === 'query') request.query.push(encodeURIComponent(name) + '=' + encodeURIComponent(field.value));
    else if (place === 'cookie') setCookie(name, encodeURIComponent(field.value));
    else if (place === 'header') request.headers.set(name, field.value);
    else {
      const value = name === 'Basic' ? basic(field.value) : field.value;
      request.headers.set('Authorization', name + ' ' + value);
    }
  }
};

const addParameters = (form, request) => {
  for (const field of all('[data-in]', form)) {
    const { in: place, name } = field.dataset;
    if (place === 'path') {
      request.path = request.path.replace('{' + name + '}', plain(field, encodeURIComponent));
    } else if (field.value === '') continue;
    else if (place === 'query') request.query.push(...pairs(field));
    else if (place === 'querystring') request.query.push(encodeURIComponent(field.value));
    else if (place === 'cookie') setCookie(name, encodeURIComponent(field.value));
    else request.headers.set(name, plain(field, String));
  }
};

/** The body that a form carries: its members as pairs, its files as they are. */
const formBody = (content, body, members) => {
  for (const [name, value] of Object.entries(members)) {
    for (const one of [value].flat()) body.append(name, textOf(one));
  }
  for (const field of all('[data-part]', content)) {
    for (const file of field.files) body.append(field.dataset.part, file);
  }
  return body;
};

const addBody = (form, request) => {
  const contents = all('[data-content]', form);
  const content = contents.find((one) => !one.hidden);
  if (content === undefined) return;
  const type = content.dataset.content;
  const text = all('textarea', content).map((field) => field.value)[0] || '';
  const [file] = all('[data-file]', content).flatMap((field) => [...field.files]);
  if (file === undefined && text === '' && all('[data-part]', content).length === 0) return;
  const isForm = /^application\/x-www-form-urlencoded/i.test(type);
  if (isForm) request.body = formBody(content, new URLSearchParams(), JSON.parse(text || '{}'));
  else if (/^multipart\/form-data/i.test(type)) {
    // The browser adds the boundary.
    request.body = formBody(content, new FormData(), JSON.parse(text || '{}'));
    return;
  } else request.body = file || text;
  request.headers.set('Content-Type', type);
};

const requestOf = (form) => {
  const { method, path, security } = form.dataset;
  const request = { method, path, query: [], headers: new Headers(), body: undefined };
  addParameters(form, request);
  addCredentials(security.split(' '), request);
  const accept = form.querySelector('[data-accept]');
  if (accept !== null) request.headers.set('Accept', accept.value);
  addBody(form, request);
  return request;
};

/** Shows a response, its body as it comes, up to some length. */
const show = async (response, output) => {
  const lines = ['HTTP ' + response.status + ' ' + response.statusText];
  for (const [name, value] of response.headers) lines.push(name + ': ' + value);
  output.textContent = lines.join('\n') + '\n\n';
  if (response.body === null) return;
  const isText = /json|xml|text|yaml|form-urlencoded|javascript/.test(response.headers.get('content-type'));
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  const shownLength = 200000;
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (isText && size <= shownLength) output.append(decoder.decode(value, { stream: true }));
  }
  if (!isText) output.append(size + ' bytes');
  else if (size > shownLength) output.append('\n… ' + size + ' bytes in all');
};

const send = async (form) => {
  const button = form.querySelector('[data-send]');
  const output = form.querySelector('output');
  const leaving = new AbortController();
  const stop = () => leaving.abort();
  button.textContent = 'Stop';
  button.addEventListener('click', stop);
  try {
    output.textContent = '';
    const { method, path, query, headers, body } = requestOf(form);
    const target = base + path + (query.length > 0 ? '?' + query.join('&') : '');
    const credentials = cookies.length > 0 ? 'same-origin' : 'omit';
    const settings = { method, headers, body, credentials, redirect: 'manual', signal: leaving.signal };
    const response = await fetch(target, settings);
    if (response.type === 'opaqueredirect') output.textContent = 'A redirect, of which pages see nothing more';
    else await show(response, output);
  } catch (error) {
    output.append(leaving.signal.aborted ? '\n(stopped)' : 'The request was not sent: ' + error.message);
  } finally {
    dropCookies();
    button.removeEventListener('click', stop);
    button.textContent = 'Send';
  }
};

for (const form of all('.try')) {
  const button = form.querySelector('[data-send]');
  button.addEventListener('click', () => {
    if (button.textContent === 'Send') void send(form);
  });
  const select = form.querySelector('[data-media]');
  if (select === null) continue;
  select.addEventListener('change', () => {
    for (const content of all('[data-content]', form)) content.hidden = content.dataset.content !== select.value;
  });
}
`;
