/** Host names (RFC 1123), internationalized ones (RFC 5890 to 5893), and the mailboxes at both (RFC 5321, RFC 6531). */

import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const LONGEST_NAME = 253;

/** Code points that no label may have, and those that need others beside them (RFC 5892, sections 2.6 and appendix A). */
const misplaced = [
  /^\p{M}/u,
  /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u,
  /[^\p{L}\p{M}\p{Nd}\-\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb\u200c\u200d]/u,
  /(?<!l)\u00b7|\u00b7(?!l)/u,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*\u30fb[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/u,
];

/** Tells whether a label with letters beyond ASCII is one that is registered as it is spelled. */
const isUnicodeLabel = (label: string): boolean => {
  if (/^-|-$|^..--/u.test(label) || misplaced.some((rule) => rule.test(label))) return false;
  const ascii = domainToASCII(label);
  return LABEL.test(ascii) && domainToUnicode(ascii) === label;
};

const isAsciiLabel = (label: string): boolean => {
  if (!LABEL.test(label) || !/^..--/.test(label)) return LABEL.test(label);
  const unicode = domainToUnicode(label);
  return /^xn--/i.test(label) && unicode !== label.toLowerCase() && isUnicodeLabel(unicode);
};

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Tells whether the text is a host name. */
export const isHostName = (text: string): boolean =>
  text.length <= LONGEST_NAME &&
  NAME.test(text) &&
  (!text.includes('--') || text.split('.').every(isAsciiLabel));

/** Tells whether the text is a host name whose letters may be of any script. */
export const isInternationalHostName = (text: string): boolean =>
  text.length <= LONGEST_NAME &&
  domainToASCII(text).length <= LONGEST_NAME &&
  text
    .split(/[.\u3002\uff0e\uff61]/)
    .every((label) => (/^\p{ASCII}*$/u.test(label) ? isAsciiLabel(label) : isUnicodeLabel(label)));

const isAddress = (text: string): boolean =>
  text.startsWith('IPv6:') ? isIPv6(text.slice(5)) : isIPv4(text);

/** Makes the test of a mailbox, at a host of two labels or more or at an address. */
const mailboxTest = (others: string, isHost: (text: string) => boolean) => {
  const atom = `[a-z0-9!#$%&'*+/=?^_\`{|}~${others}-]+`;
  const quoted = `"(?:[ !#-\\[\\]-~${others}]|\\\\[ -~])*"`;
  const mailbox = new RegExp(
    `^(?:${atom}(?:\\.${atom})*|${quoted})@(?:\\[(.*)\\]|([^@[]*\\.[^@[]*))$`,
    others === '' ? 'i' : 'iu',
  );
  return (text: string): boolean => {
    const [whole, address, host = ''] = mailbox.exec(text) ?? [];
    return whole !== undefined && (address === undefined ? isHost(host) : isAddress(address));
  };
};

/** Tells whether the text is an address of mail. */
export const isEmail = mailboxTest('', isHostName);

/** Tells the same of one whose letters may be of any script. */
export const isInternationalEmail = mailboxTest('\\u{80}-\\u{10ffff}', (text) =>
  isInternationalHostName(text.normalize('NFC')),
);
