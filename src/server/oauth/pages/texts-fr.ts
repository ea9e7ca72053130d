/** The pages' texts in French. */

import type { Texts } from './texts';

export const french: Texts = {
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
  faults: {
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
