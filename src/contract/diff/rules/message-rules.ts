/** The rules of parameters, bodies, responses and headers. */

import { changes, keeps, narrows, type Rule, weighs, widens } from './rule';

export const messageRules = {
  // Parameters.
  'parameter-added': keeps('an optional parameter is new'),
  'required-parameter-added': narrows('a required parameter is new'),
  'parameter-removed': weighs(
    'warning',
    'warning',
    'the parameter is gone; what is sent under its name has no meaning any more',
  ),
  'parameter-became-required': narrows('the parameter is required'),
  'parameter-became-optional': widens('the parameter is optional'),
  'parameter-style-changed': changes('the parameter is written in another style'),
  'parameter-explode-changed': changes('explode changed'),
  'parameter-reserved-forbidden': narrows('reserved characters must be percent-encoded'),
  'parameter-reserved-allowed': widens('reserved characters may stand as they are'),
  'parameter-empty-forbidden': narrows('the value must not be empty'),
  'parameter-empty-allowed': widens('the value may be empty'),
  'parameter-media-type-changed': changes('the parameter is written in another media type'),
  'parameter-splitting-changed': weighs(
    'warning',
    'warning',
    'commas split the value, or no longer do; whether values have commas is not decided',
  ),
  'parameter-deprecated': keeps('the parameter is deprecated'),
  'parameter-reactivated': keeps('the parameter is no longer deprecated'),
  // Bodies.
  'body-added': widens('a body may be sent'),
  'required-body-added': narrows('a body is required where none was'),
  'body-removed': narrows('no body is allowed any more'),
  'body-became-required': narrows('the body is required'),
  'body-became-optional': widens('the body is optional'),
  'identifier-added': narrows('the body must name the resource'),
  'identifier-removed': widens('the body need not name the resource any more'),
  'media-type-removed': weighs('breaking', 'breaking', 'the media type is gone'),
  'media-type-added': keeps('the media type is new'),
  'encoding-content-type-changed': changes('the part has another media type'),
  'encoding-style-changed': changes('the field is written in another style'),
  'encoding-header-added': keeps('the part may have another header'),
  'encoding-required-header-added': narrows('the part must have another header'),
  'encoding-header-removed': keeps('a header of the part is gone'),
  // Responses.
  'success-status-added': weighs(
    'warning',
    'warning',
    'another status of success or redirection may come; callers know its class alone',
  ),
  'success-status-removed': keeps('a status of success or redirection no longer comes'),
  'success-replaced': changes('no status of success that was declared can come any more'),
  'error-status-added': keeps('another status of failure may come; its class tells callers enough'),
  'error-status-removed': keeps('a status of failure no longer comes'),
  'response-body-removed': weighs('breaking', 'breaking', 'it has no body now'),
  'header-added': keeps('a header is new'),
  'header-removed': keeps('an optional header is gone'),
  'required-header-removed': widens('a required header is gone'),
  'header-became-required': narrows('the header is required'),
  'header-became-optional': widens('the header is optional'),
  'header-style-changed': changes('the header is written in another way'),
  'header-deprecated': keeps('the header is deprecated'),
  'header-reactivated': keeps('the header is no longer deprecated'),
} as const satisfies Record<string, Rule>;
