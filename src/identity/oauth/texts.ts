/** The texts of the pages, in the language that the browser prefers. */

import Negotiator from 'negotiator';

const english = {
  /** A BCP 47 tag, for `lang` and Content-Language. */
  language: 'en',
  signInTitle: 'Sign in',
  signInReason: (client: string, service: string) =>
    `to continue to ${client} with your ${service} account`,
  username: 'Username',
  password: 'Password',
  signIn: 'Sign in',
  cancel: 'Cancel',
  consentTitle: (client: string) => `Allow ${client} access?`,
  consentReason: (client: string, service: string) =>
    `${client} asks for access to your ${service} account. It may:`,
  undescribedScope: 'The service does not describe this permission.',
  signedInAs: 'Signed in as',
  switchUser: 'Use another account',
  destination: 'You will be sent to',
  duration: (duration: string) => `Access ends after ${duration}.`,
  allow: 'Allow',
  deny: 'Deny',
  errorTitle: 'This request cannot continue',
  documentation: 'Sign in from the API documentation',
  /** Stands before the title of a page with a notice. */
  errorPrefix: 'Error: ',
  unencrypted:
    'This connection is not encrypted. Others on the network can read your input, including your password.',
  /** The reasons why a form is shown again. */
  notices: {
    'wrong-credentials': 'The username or the password is wrong.',
    'missing-credentials': 'Enter your username and your password.',
    'session-ended': 'Your session has ended. Sign in again.',
    'stale-form': 'This form has expired. Check that cookies are enabled and try again.',
    'too-many-attempts': 'Too many sign-ins have failed. Try again later.',
    busy: 'The server is busy. Try again in a moment.',
  },
  /** The reasons why the user can do nothing on this page. */
  errors: {
    malformed: 'This link is not valid.',
    repeated: 'The link contains the client_id or the redirect_uri twice.',
    'no-client': 'The client_id is missing.',
    'unknown-client': 'The application (client_id) is not registered.',
    'no-redirect-uri': 'The redirect_uri is missing.',
    'unregistered-redirect-uri':
      'The redirect_uri is not registered for this application. Nothing was sent there.',
    'foreign-form': 'The form was sent from another site. Nothing was changed.',
    'malformed-form': 'The form is not valid. Nothing was changed.',
    busy: 'The server is busy. Try again in a moment.',
    failed: 'The server could not process the request. No access was granted.',
  },
};

/** The texts of the pages in one language. */
export type Texts = typeof english;

/** The reason why a form is shown again. */
export type FormNotice = keyof Texts['notices'];

/** The reason for a page that has an explanation alone. */
export type PageError = keyof Texts['errors'];

const french: Texts = {
  language: 'fr',
  signInTitle: 'Connexion',
  signInReason: (client, service) => `pour continuer vers ${client} avec votre compte ${service}`,
  username: 'Nom d’utilisateur',
  password: 'Mot de passe',
  signIn: 'Se connecter',
  cancel: 'Annuler',
  consentTitle: (client) => `Autoriser ${client} ?`,
  consentReason: (client, service) =>
    `${client} demande l’accès à votre compte ${service}. Cette application pourra :`,
  undescribedScope: 'Le service ne décrit pas cette autorisation.',
  signedInAs: 'Session de',
  switchUser: 'Utiliser un autre compte',
  destination: 'Vous serez redirigé vers',
  duration: (duration) => `L’accès prendra fin après ${duration}.`,
  allow: 'Autoriser',
  deny: 'Refuser',
  errorTitle: 'Cette demande ne peut pas continuer',
  documentation: "Se connecter depuis la documentation de l'API",
  errorPrefix: 'Erreur : ',
  unencrypted:
    'Cette connexion n’est pas chiffrée. D’autres personnes sur le réseau peuvent lire votre saisie, y compris votre mot de passe.',
  notices: {
    'wrong-credentials': 'Le nom d’utilisateur ou le mot de passe est incorrect.',
    'missing-credentials': 'Saisissez votre nom d’utilisateur et votre mot de passe.',
    'session-ended': 'Votre session a pris fin. Connectez-vous à nouveau.',
    'stale-form': 'Ce formulaire a expiré. Vérifiez que les cookies sont acceptés, puis réessayez.',
    'too-many-attempts': 'Trop de connexions ont échoué. Réessayez plus tard.',
    busy: 'Le serveur est occupé. Réessayez dans un instant.',
  },
  errors: {
    malformed: 'Ce lien n’est pas valide.',
    repeated: 'Le lien contient deux fois client_id ou redirect_uri.',
    'no-client': 'Le paramètre client_id est manquant.',
    'unknown-client': 'L’application (client_id) n’est pas enregistrée.',
    'no-redirect-uri': 'Le paramètre redirect_uri est manquant.',
    'unregistered-redirect-uri':
      'L’adresse redirect_uri n’est pas enregistrée pour cette application. Rien n’y a été envoyé.',
    'foreign-form': 'Le formulaire provient d’un autre site. Rien n’a été modifié.',
    'malformed-form': 'Le formulaire n’est pas valide. Rien n’a été modifié.',
    busy: 'Le serveur est occupé. Réessayez dans un instant.',
    failed: 'Le serveur n’a pas pu traiter la demande. Aucun accès n’a été accordé.',
  },
};

const languages: ReadonlyMap<string, Texts> = new Map(
  [english, french].map((texts) => [texts.language, texts]),
);

/** The tags of the languages of the pages. */
export const pageLanguages: readonly string[] = [...languages.keys()];

/** Finds the texts for an Accept-Language (RFC 9110 section 12.5.4); English where it names no language of the pages. */
export const textsFor = (acceptLanguage: string): Texts => {
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  return languages.get(negotiator.language([...pageLanguages]) ?? '') ?? english;
};
