/** The advertisements service keeps every promise of its document. */

import { describeContract } from './contract-cases';

describeContract('ads');
