/** Without statements composed at start: Knex writes the SQL anew at every run. */

import type { Query, Statement, Values } from '../../../src/storage/sql/statement';
import { countRun, moduleOf } from './product';

const ours = moduleOf<typeof import('../../../src/storage/sql/statement')>('storage/sql/statement');
const { statement: compose } = ours;

ours.statement = <Parameters extends Values, Row>(query: Query): Statement<Parameters, Row> => ({
  ...compose<Parameters, Row>(query),
  bind(parameters: Parameters) {
    countRun();
    return compose<Parameters, Row>(query).bind(parameters);
  },
});
