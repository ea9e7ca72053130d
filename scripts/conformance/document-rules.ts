/** The rules for security, responses, schemas and documents, by id: what a generic engine for OpenAPI 3.0 documents must do. */

import type { Rule } from './rule';

export const documentRules: readonly Rule[] = [
  {
    id: 'S01',
    line: 'All schemes of one requirement object must hold; one object of the list is enough.',
  },
  { id: 'S02', line: "Operation `security` replaces the root's; an empty list removes it." },
  {
    id: 'S03',
    line: '`{}` in the list means anonymous allowed; credentials that are sent are still evaluated for identity.',
  },
  {
    id: 'S04',
    line: 'oauth2/openIdConnect values are required scopes: all of them; an empty list means authenticated only.',
  },
  {
    id: 'S05',
    line: 'For other types the list is empty; a filled list is a document fault (3.1+ allows role names): warn.',
  },
  {
    id: 'S06',
    line: 'Each name must be a declared scheme: an undeclared one can never be satisfied: report at load, refuse at run time.',
  },
  {
    id: 'S07',
    line: 'A required scope that the flow does not declare (the ads contract): warn at load, still required.',
  },
  {
    id: 'S08',
    line: 'Same scheme with different scopes in two alternatives: evaluated per alternative.',
  },
  {
    id: 'S09',
    line: 'apiKey in header (case-insensitive), query, cookie; http basic and bearer (scheme case-insensitive).',
  },
  {
    id: 'S10',
    line: 'No or bad credentials: 401 with a challenge; good credentials without scopes: 403; 401 and 403 need not be documented.',
  },
  {
    id: 'S11',
    line: "A header parameter that equals the key's name (deletePet) is separate from the scheme.",
  },
  {
    id: 'S12',
    line: 'Security is decided before body parsing; validation errors do not leak to the unauthenticated.',
  },
  { id: 'R01', line: 'Exact code beats range beats default; ranges only 1XX..5XX, capital X.' },
  {
    id: 'R02',
    line: 'A status matched by nothing is undocumented: reported in development and CI.',
  },
  {
    id: 'R03',
    line: '`default` covers undeclared codes; it is the success only if no 2xx/2XX is declared. Needed by both contracts.',
  },
  {
    id: 'R04',
    line: 'A response without `content` has no described body: send none, or a text outside the contract only if allowed.',
  },
  {
    id: 'R05',
    line: 'Content negotiation: choose among declared media types by Accept with q-values and specificity; none acceptable: 406; no Accept or */*: JSON if declared, else the first.',
  },
  { id: 'R06', line: 'Error answers negotiate too.' },
  {
    id: 'R07',
    line: 'Header objects: simple style; Content-Type there is ignored; names case-insensitive; values typed (integer, date-time).',
  },
  { id: 'R08', line: 'required on headers checked; undeclared headers allowed.' },
  { id: 'R09', line: '204 and 304 and HEAD carry no body.' },
  {
    id: 'R10',
    line: 'writeOnly properties never leave; readOnly required ones must be present in answers only.',
  },
  { id: 'R11', line: 'Numbers are written exactly (int64), dates as RFC 3339.' },
  { id: 'R12', line: 'additionalProperties maps (inventory) keep arbitrary keys, values checked.' },
  {
    id: 'D01',
    line: 'nullable works only with an explicit type in the same schema; enum must list null to allow it.',
  },
  { id: 'D02', line: 'type is one string; exclusiveMinimum and Maximum are booleans in 3.0.' },
  {
    id: 'D03',
    line: 'readOnly required applies to answers only, writeOnly required to requests only; sent readOnly values: ignored.',
  },
  { id: 'D04', line: 'default must fit its type: warn.' },
  { id: 'D05', line: 'Unknown formats are ignored; the nine known ones are checked.' },
  { id: 'D06', line: 'additionalProperties defaults to true.' },
  {
    id: 'D07',
    line: 'discriminator never changes validity [3.0.4]; mapping by component name or URI; property must be required.',
  },
  { id: 'D08', line: 'Siblings of `$ref` are ignored in 3.0, meaningful in 3.1.' },
  { id: 'D09', line: 'Cycles of references must not hang or overflow.' },
  {
    id: 'D10',
    line: 'Unresolvable references are isolated: operations that need them fail with a stated cause, others work.',
  },
  {
    id: 'D11',
    line: 'Concrete paths beat templated ones (findByStatus against {petId}; login against {username}); identical templates refused.',
  },
  {
    id: 'D12',
    line: 'Paths are appended to the server URL; relative server URLs; variables with defaults and enums.',
  },
  {
    id: 'D13',
    line: 'operationId unique and case-sensitive; `x-` fields allowed wherever stated; the patch number is ignored.',
  },
  {
    id: 'D14',
    line: '(HTTP, not OAS) Known path, unknown method: 405 with Allow; HEAD is answered for every GET. Note the clash: both contracts also use 405 as a *validation* status; the body tells them apart.',
  },
  {
    id: 'D15',
    line: 'YAML 1.2 JSON subset: quoted status keys, no surprises such as `no` or dates turned into other types.',
  },
];
