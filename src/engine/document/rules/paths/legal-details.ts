/** Addresses and the version are written as they must be (OAS 3.0.4, OpenAPI, Info, Contact, License and External Documentation Object). */

import { formats } from '../../../schema/validation/checks/formats';
import { errorOf, ruleOf, warningOf } from '../rule';

/** An error where the field is there and not of the format. */
const addressCheck =
  (field: string, format: 'email' | 'uri-reference', advice: string) =>
  ({ value: { [field]: text }, pointer }: { value: Record<string, unknown>; pointer: string }) => {
    if (typeof text !== 'string' || formats.get(format)?.accepts(text) !== false) return [];
    return [errorOf('address')(`${pointer}/${field}`, `\`${field}\` ${advice}`)];
  };

// URLs may be relative (OAS 3.0.4, Relative References in URLs).
const urlCheck = (field: string) =>
  addressCheck(
    field,
    'uri-reference',
    'is no URL. Write one such as https://example.com/about, or remove it.',
  );

const contactUrl = urlCheck('url');
const contactEmail = addressCheck(
  'email',
  'email',
  'is no email address. Write one such as help@example.com, or remove it.',
);

export const legalAddresses = ruleOf({
  Info: urlCheck('termsOfService'),
  Contact: (contact) => [...contactUrl(contact), ...contactEmail(contact)],
  License: urlCheck('url'),
  ExternalDocumentation: urlCheck('url'),
});

export const publishedVersion = ruleOf({
  OpenAPI: ({ value: { openapi } }) => {
    if (typeof openapi !== 'string' || /^3\.0\.\d+$/.test(openapi)) return [];
    const message = `${openapi} is no version of OpenAPI, and the document is read as OpenAPI 3.0. Write openapi: 3.0.3.`;
    return [warningOf('version')('/openapi', message)];
  },
});
