/** The pet store keeps every promise of its document. */

import { describeContract } from './contract-cases';
import { petstoreExamples } from './petstore.examples';

describeContract('petstore', petstoreExamples);
