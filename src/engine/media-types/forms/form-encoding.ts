/** What an Encoding Object says of one property of an urlencoded form (OAS 3.0.3), defaults filled in. */

import type { OpenAPIV3 } from 'openapi-types';

/** How one property is laid out. */
export interface FormLayout {
  /** Between the parts of one value; undefined where a value is not divided. */
  readonly delimiter: RegExp | undefined;
  /** The properties of an object stand beside the others, without the object's name. */
  readonly isSpread: boolean;
  /** Values are JSON text whatever the schema says. */
  readonly isJson: boolean;
}

const DELIMITERS: Readonly<Record<string, RegExp>> = {
  form: /,/,
  spaceDelimited: /%20|\+/,
  pipeDelimited: /\||%7C/i,
};
const JSON_TYPE = /^application\/(?:[^\s;,]+\+)?json$/i;

/** Lays out by style where style, explode or allowReserved is given, else by content type (OAS 3.0.4, Encoding Object). */
export function formLayoutOf(encoding: OpenAPIV3.EncodingObject | undefined): FormLayout {
  const { style = 'form', explode = style === 'form', contentType = '' } = encoding ?? {};
  const hasStyle =
    encoding?.style !== undefined ||
    encoding?.explode !== undefined ||
    encoding?.allowReserved !== undefined;
  return {
    delimiter: hasStyle && !explode ? DELIMITERS[style] : undefined,
    isSpread: hasStyle && explode && style === 'form',
    isJson: !hasStyle && JSON_TYPE.test(contentType.trim()),
  };
}
