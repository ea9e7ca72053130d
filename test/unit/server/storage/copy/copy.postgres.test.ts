import { describeCopying, describeKind } from './copy-cases';

describeCopying('sqlite', 'postgres');
describeCopying('postgres', 'sqlite');
describeCopying('postgres', 'postgres');
describeKind('postgres');
