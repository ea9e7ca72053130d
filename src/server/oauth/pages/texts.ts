/** What the pages say, in the language that the browser prefers. */

import Negotiator from 'negotiator';
import type { UnsafeReason } from '../protocol/authorization-request';

/** Why a form is shown once more. */
export type FormNotice =
  | 'wrong-credentials'
  | 'missing-credentials'
  | 'session-ended'
  | 'stale-form'
  | 'too-many-attempts'
  | 'busy';

/** Why there is a page with nothing but an explanation. */
export type PageError = UnsafeReason | 'foreign-form' | 'malformed-form' | 'busy' | 'failed';

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
  /** The link to the documentation, where sign-ins begin. */
  readonly documentation: string;
  /** Before a title, where the page shows what went wrong. */
  readonly errorPrefix: string;
  readonly unencrypted: string;
  readonly notices: Readonly<Record<FormNotice, string>>;
  readonly errors: Readonly<Record<PageError, string>>;
}

const english: Texts = {
  language: 'en',
  signInTitle: 'Sign in',
  signInReason: (client, service) => `to continue to ${client} with your ${service} account`,
  username: 'Username',
  password: 'Password',
  signIn: 'Sign in',
  cancel: 'Cancel',
  consentTitle: (client) => `Give ${client} access?`,
  consentReason: (client, service) =>
    `${client} asks for access to your ${service} account. It may:`,
  undescribedScope: 'The service does not describe this permission.',
  signedInAs: 'Signed in as',
  switchUser: 'Use another account',
  destination: 'You will be sent to',
  duration: (duration) => `Access ends after ${duration}.`,
  allow: 'Allow',
  deny: 'Deny',
  errorTitle: "We can't continue",
  documentation: 'Sign in from the API documentation',
  errorPrefix: 'Error: ',
  unencrypted:
    'This connection is not encrypted: others on the network can read what you type, your password included.',
  notices: {
    'wrong-credentials': 'The username or the password is wrong.',
    'missing-credentials': 'Enter your username and your password.',
    'session-ended': 'Your session has ended. Sign in once more.',
    'stale-form': 'This form has expired. Check that cookies are enabled and try again.',
    'too-many-attempts': 'There were too many failed attempts. Try again later.',
    busy: 'The server is busy. Try again in a moment.',
  },
  errors: {
    malformed: 'This link is invalid.',
    repeated: 'The application sent a parameter twice.',
    'no-client': 'The application has not said which one it is (client_id).',
    'unknown-client': 'The application is not known here (client_id).',
    'no-redirect-uri':
      'The application has not said where the answer is to be sent (redirect_uri).',
    'unregistered-redirect-uri':
      'The address to which the answer would be sent (redirect_uri) is not registered for this application. Nothing was sent there.',
    'foreign-form': 'The form was sent from another site, and nothing was done.',
    'malformed-form': 'The form cannot be read, and nothing was done.',
    busy: 'The server is busy. Try again in a moment.',
    failed: 'The server failed to answer. Nothing was granted.',
  },
};

const french: Texts = {
  language: 'fr',
  signInTitle: 'Connexion',
  signInReason: (client, service) => `pour continuer vers ${client} avec votre compte ${service}`,
  username: 'Nom d’utilisateur',
  password: 'Mot de passe',
  signIn: 'Se connecter',
  cancel: 'Annuler',
  consentTitle: (client) => `Autoriser ${client} ?`,
  consentReason: (client, service) =>
    `${client} demande l’accès à votre compte ${service}. Cette application pourra :`,
  undescribedScope: 'Le service ne décrit pas cette autorisation.',
  signedInAs: 'Session de',
  switchUser: 'Utiliser un autre compte',
  destination: 'Vous serez redirigé vers',
  duration: (duration) => `L’accès prendra fin après ${duration}.`,
  allow: 'Autoriser',
  deny: 'Refuser',
  errorTitle: 'Cette demande ne peut pas continuer',
  documentation: "Se connecter depuis la documentation de l'API",
  errorPrefix: 'Erreur : ',
  unencrypted:
    'Cette connexion n’est pas chiffrée : d’autres personnes sur le réseau peuvent lire ce que vous saisissez, y compris votre mot de passe.',
  notices: {
    'wrong-credentials': 'Le nom d’utilisateur ou le mot de passe est incorrect.',
    'missing-credentials': 'Saisissez votre nom d’utilisateur et votre mot de passe.',
    'session-ended': 'Votre session a pris fin. Connectez-vous à nouveau.',
    'stale-form':
      'Ce formulaire n’est plus valable. Vérifiez que les cookies sont acceptés, puis réessayez.',
    'too-many-attempts': 'Il y a eu trop de tentatives infructueuses. Réessayez plus tard.',
    busy: 'Le serveur est occupé. Réessayez dans un instant.',
  },
  errors: {
    malformed: 'L’adresse de cette page est endommagée.',
    repeated: 'L’application a donné deux fois une partie de sa demande.',
    'no-client': 'L’application ne s’est pas présentée (client_id).',
    'unknown-client': 'L’application n’est pas connue ici (client_id).',
    'no-redirect-uri': 'L’application n’a pas indiqué où envoyer la réponse (redirect_uri).',
    'unregistered-redirect-uri':
      'L’adresse à laquelle la réponse serait envoyée (redirect_uri) n’est pas enregistrée pour cette application. Rien n’y a été envoyé.',
    'foreign-form': 'Le formulaire a été envoyé depuis un autre site ; rien n’a été fait.',
    'malformed-form': 'Le formulaire est illisible ; rien n’a été fait.',
    busy: 'Le serveur est occupé. Réessayez dans un instant.',
    failed: 'Le serveur n’a pas pu répondre. Rien n’a été accordé.',
  },
};

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
