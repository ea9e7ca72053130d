/** Without the read cache and prepared statements together: the cache hides what preparing is worth to reads. */

import './prepared-statements';
import './read-cache';
