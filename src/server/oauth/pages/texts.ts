/** What the pages say, in the language that the browser prefers. */

import Negotiator from 'negotiator';
import type { UnsafeReason } from '../protocol/authorization-request';
import { english } from './texts-en';
import { french } from './texts-fr';

/** Why a form is shown once more. */
export type FormNotice =
  | 'wrong-credentials'
  | 'missing-credentials'
  | 'session-ended'
  | 'stale-form'
  | 'too-many-attempts'
  | 'busy';

/** Why there is a page with nothing but an explanation. */
export type PageFault = UnsafeReason | 'foreign-form' | 'malformed-form' | 'busy' | 'failed';

/** The pages' texts in one language. */
export interface Texts {
  /** BCP 47, for `lang` and Content-Language. */
  readonly language: string;
  readonly signInTitle: string;
  /** Before the names of client and service. */
  readonly signInReason: (client: string, service: string) => string;
  readonly username: string;
  readonly password: string;
  readonly signIn: string;
  readonly cancel: string;
  readonly consentTitle: (client: string) => string;
  readonly consentReason: (client: string, service: string) => string;
  readonly undescribedScope: string;
  readonly signedInAs: string;
  readonly switchUser: string;
  readonly destination: string;
  /** A duration in words. */
  readonly duration: (duration: string) => string;
  readonly allow: string;
  readonly deny: string;
  readonly errorTitle: string;
  /** Before a title, where the page shows what went wrong. */
  readonly errorPrefix: string;
  readonly unencrypted: string;
  readonly notices: Readonly<Record<FormNotice, string>>;
  readonly faults: Readonly<Record<PageFault, string>>;
}

const languages: ReadonlyMap<string, Texts> = new Map(
  [english, french].map((texts) => [texts.language, texts]),
);

/** The languages that there are. */
export const pageLanguages: readonly string[] = [...languages.keys()];

/** The texts for an Accept-Language (RFC 9110 section 12.5.4); English where none of ours is wanted. */
export const textsFor = (acceptLanguage: string | undefined): Texts => {
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  return languages.get(negotiator.language([...pageLanguages]) ?? '') ?? english;
};
