import type { Database } from '../../db/database.js';
import { eraseMemberships, memberEndpoints } from './members/routes.js';
import { listEndpoints } from './routes.js';

export { createList } from './create-list.js';
export { type MemberNews, membersChanged } from './members/news.js';
export { eraseMemberships } from './members/routes.js';

export function lists({ db }: { db: Database }) {
  return { endpoints: [...listEndpoints(db), ...memberEndpoints(db)], erasers: [eraseMemberships] };
}
