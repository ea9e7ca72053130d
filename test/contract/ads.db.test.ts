/** The advertisements service keeps every promise of its document. */

import { adsExamples } from './ads.examples';
import { describeContract } from './contract-cases';

describeContract('ads', adsExamples);
