/** The pages' texts in English. */

import type { Texts } from './texts';

export const english: Texts = {
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
  faults: {
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
