// Every route there is. Tests, OpenAPI and the reference page walk this list.
import { contactRoutes } from './contacts.js';
import { folderRoutes } from './folders.js';
import { listRoutes } from './lists.js';
import type { Route } from './route.js';
import { tenantRoutes } from './tenants.js';

export const routes: readonly Route[] = [...contactRoutes, ...listRoutes, ...folderRoutes, ...tenantRoutes];
