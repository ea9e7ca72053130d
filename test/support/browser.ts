/** As much of a browser as forms need: it keeps cookies, reads forms, and posts them as a user would. */

import type { Answered, Ask } from './ask';

/** A page, or the redirect that came instead of one. */
export interface Visited extends Answered {
  /** The place of the violation. */
  readonly target: string;
}

/** The actions of a user on a page: filling in fields and pressing a button. */
export interface Pressed {
  /** The button's value. */
  readonly button: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Headers of one request. */
type Headers = Readonly<Record<string, string>>;

/** A browser with cookies of its own. */
export interface Browser {
  open(target: string, headers?: Headers): Promise<Visited>;
  /** Presses a button of the page's form. */
  press(page: Visited, pressed: Pressed, headers?: Headers): Promise<Visited>;
  /** Goes where a redirect to this server leads. */
  follow(redirect: Visited): Promise<Visited>;
  /** The cookies that it would send there, by name. */
  cookiesFor(path: string): Readonly<Record<string, string>>;
  /** Takes a cookie as from a `Set-Cookie` header. */
  take(setCookie: string): void;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The text behind HTML's references. */
export const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (reference) => entities[reference] ?? reference);

/** The value of an attribute in a tag. */
const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : unescapeHtml(found);
};

/** The names and values of the fields that a page's form begins with. */
export const fieldsOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (html.match(/<input\s[^>]*>/g) ?? []).map((tag) => [
      attribute(tag, 'name') ?? '',
      attribute(tag, 'value') ?? '',
    ]),
  );

/** The values of a page's buttons. */
export const buttonsOf = (html: string): string[] =>
  (html.match(/<button\s[^>]*>/g) ?? []).map((tag) => attribute(tag, 'value') ?? '');

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

const readCookie = (setCookie: string): Cookie & { readonly isOver: boolean } => {
  const [pair = '', ...attributes] = setCookie.split('; ');
  const at = pair.indexOf('=');
  const path = attributes.find((one) => one.startsWith('Path='))?.slice(5) ?? '/';
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    path,
    isOver: attributes.includes('Max-Age=0'),
  };
};

/** RFC 6265 section 5.1.4 */
const isSentTo = ({ path }: Cookie, target: string): boolean =>
  target === path || target.startsWith(path.endsWith('/') ? path : `${path}/`);

const pathOf = (target: string): string => target.split('?')[0] ?? target;

/** Opens a browser that talks to one server. */
export const openBrowser = (ask: Ask): Browser => {
  let jar: Cookie[] = [];

  const take = (setCookie: string): void => {
    const { isOver, ...cookie } = readCookie(setCookie);
    jar = jar.filter(({ name, path }) => name !== cookie.name || path !== cookie.path);
    if (!isOver) jar.push(cookie);
  };

  const cookiesFor = (path: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      jar.filter((cookie) => isSentTo(cookie, path)).map(({ name, value }) => [name, value]),
    );

  const send = async (
    method: string,
    target: string,
    headers: Headers,
    form?: Readonly<Record<string, string>>,
  ): Promise<Visited> => {
    const cookies = Object.entries(cookiesFor(pathOf(target)));
    const Cookie = cookies.map(([name, value]) => `${name}=${value}`).join('; ');
    const answered = await ask(`${method} ${target}`, {
      headers: { ...(Cookie !== '' && { Cookie }), ...headers },
      ...(form && {
        type: 'application/x-www-form-urlencoded',
        body: new URLSearchParams(form).toString(),
      }),
    });
    for (const setCookie of answered.headers['set-cookie'] ?? []) take(setCookie);
    return { ...answered, target };
  };

  return {
    open: (target, headers = {}) => send('GET', target, headers),

    async press({ target, text }, { button, fields = {} }, headers = {}) {
      if (!buttonsOf(text).includes(button)) throw new Error(`There is no button ${button}`);
      const form = { ...fieldsOf(text), ...fields, action: button };
      // The referrer policy of the page hides where its forms come from.
      const own = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' };
      return send('POST', target, { ...own, ...headers }, form);
    },

    async follow({ headers: { location = '' }, target }) {
      const to = new URL(location, `http://server.invalid${target}`);
      if (to.host !== 'server.invalid') throw new Error(`It leads elsewhere: ${location}`);
      return send('GET', `${to.pathname}${to.search}`, {});
    },

    cookiesFor,
    take,
  };
};
