/** The pet store keeps every promise of its document. */

import { describeContract } from './contract-cases';

describeContract('petstore');
