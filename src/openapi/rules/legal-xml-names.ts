/** Schemas have names that XML allows (OAS 3.0.3, XML Object); one that is illegal counts as none. */

import { readXmlObject } from '../../codecs/xml-object';
import { pointerOf } from '../json-pointer';
import type { Finding } from '../problem';
import { isFields } from '../validation/schema-fields';
import { documentObjects } from './document-objects';
import type { Rule } from './rule';

const xmlProblems = (schema: object): readonly string[] =>
  'xml' in schema && isFields(schema.xml) ? readXmlObject(schema.xml).problems : [];

export const legalXmlNames: Rule = ({ definition }) =>
  documentObjects(definition).flatMap(({ value, steps, isSchema }): Finding[] => {
    const problems = isSchema ? xmlProblems(value) : [];
    const pointer = pointerOf([...steps, 'xml']);
    return problems.map((message) => ({ severity: 'warning', pointer, message }));
  });
