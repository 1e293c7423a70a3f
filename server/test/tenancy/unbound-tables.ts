// Finds the tenants' tables that a statement reads or changes without naming the tenant. A database that is split by tenant can run a
// statement on one part only if every table in it is bound to the same tenant.
import { parse } from 'pgsql-parser';

// biome-ignore lint/suspicious/noExplicitAny: PostgreSQL's parse tree has a few hundred kinds of nodes.
type Node = any;
const column = 'tenant_id';
const reads = new Set(['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt', 'MergeStmt']);

/** The names of the tables, each once. */
export async function unboundTables(text: string, ofTenants: ReadonlySet<string>): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as Node;
  const found = new Set<string>();
  const views = new WeakSet<object>();
  // A view is bound by the statement that reads it, under the name that it has taken over from a table.
  for (const { stmt } of stmts) if (!stmt.ViewStmt) visit(stmt, { queries: new Set(), ofTenants, found, views });
  return [...found].sort();
}

interface Scope {
  /** Names of the enclosing `with`. */
  queries: ReadonlySet<string>;
  ofTenants: ReadonlySet<string>;
  found: Set<string>;
  /** Statements whose tables are bound, or not, by the enclosing statement. */
  views: WeakSet<object>;
}

/** Visits every statement within a part of the tree, the outer ones first. */
function visit(node: Node, scope: Scope): void {
  if (Array.isArray(node)) for (const item of node) visit(item, scope);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  for (const [kind, part] of Object.entries<Node>(node)) {
    const own = (part?.withClause?.ctes ?? []) as Node[];
    const queries = new Set([...scope.queries, ...own.map(({ CommonTableExpr }) => CommonTableExpr.ctename)]);
    const within = own.length > 0 ? { ...scope, queries } : scope;
    // The two sides of a union are not wrapped as statements.
    if ((reads.has(kind) || part?.limitOption) && !scope.views.has(part))
      for (const table of new Level(within).read(kind, part).unbound()) scope.found.add(table);
    visit(part, within);
  }
}

const someValue = Symbol('a value');
type Side = string | typeof someValue;

/** One statement, without those inside it: its tables, and which of their tenants are equal. */
class Level {
  private readonly tables = new Map<string, string>();
  private readonly same: [Side, Side][] = [];

  constructor(private readonly scope: Scope) {}

  read(kind: string, part: Node): this {
    // An insert names its tenant in a column that may not be null.
    if (kind !== 'InsertStmt' && part.relation) this.from({ RangeVar: part.relation });
    for (const item of [part.fromClause, part.usingClause, part.sourceRelation].flat()) if (item) this.from(item);
    this.condition(part.whereClause);
    this.condition(part.joinCondition);
    return this;
  }

  /** The tables bound neither to a value nor to anything outside this statement. */
  unbound(): string[] {
    const bound = new Set<Side>([someValue]);
    for (const pair of this.same) for (const side of pair) if (!this.tables.has(side as string)) bound.add(side);
    for (let size = -1; size !== bound.size; ) {
      size = bound.size;
      for (const [one, other] of this.same) if (bound.has(one) || bound.has(other)) bound.add(one).add(other);
    }
    return [...this.tables].filter(([alias]) => !bound.has(alias)).map(([, table]) => table);
  }

  /** Returns the names under which its columns are known. */
  private from(item: Node): string[] {
    const { RangeVar, JoinExpr } = item;
    if (RangeVar) {
      const { relname, schemaname } = RangeVar;
      const alias = RangeVar.alias?.aliasname ?? relname;
      const isTable = schemaname !== undefined || !this.scope.queries.has(relname);
      if (isTable && this.scope.ofTenants.has(relname)) this.tables.set(alias, relname);
      return [alias];
    }
    if (!JoinExpr) {
      const alias = Object.values<Node>(item)[0]?.alias?.aliasname;
      if (alias && item.RangeSubselect) this.view(alias, item.RangeSubselect.subquery.SelectStmt);
      return alias ? [alias] : [];
    }
    const [left, right] = [this.from(JoinExpr.larg), this.from(JoinExpr.rarg)];
    this.condition(JoinExpr.quals);
    const isShared = JoinExpr.usingClause?.some((name: Node) => name.String.sval === column);
    if (isShared && left[0] && right[0]) this.same.push([left[0], right[0]]);
    return [...left, ...right];
  }

  /** `(select … from table) alias` passes its tenant on: this statement binds it like the table itself. */
  private view(alias: string, select: Node): void {
    const isHandedOn = select.targetList?.some(({ ResTarget }: Node) => {
      const fields = ResTarget.val?.ColumnRef?.fields;
      return ResTarget.name === undefined && (fields?.at(-1)?.String?.sval === column || fields?.at(-1)?.A_Star);
    });
    const isPlain = select.op === 'SETOP_NONE' && !select.limitCount && !select.groupClause && !select.withClause;
    if (!isHandedOn || !isPlain) return;
    const inner = new Level(this.scope).read('SelectStmt', select).unbound();
    if (inner.length === 0) return;
    this.scope.views.add(select);
    this.tables.set(alias, inner.join(', '));
  }

  private condition(node: Node): void {
    if (!node) return;
    const { BoolExpr, A_Expr, SubLink } = node;
    if (BoolExpr?.boolop === 'AND_EXPR') for (const arg of BoolExpr.args) this.condition(arg);
    if (SubLink?.subLinkType === 'ANY_SUBLINK') this.equal(SubLink.testexpr, undefined);
    const isEqual = A_Expr?.name?.at(-1)?.String.sval === '=';
    if (!isEqual) return;
    if (A_Expr.kind === 'AEXPR_OP' || A_Expr.kind === 'AEXPR_NOT_DISTINCT') this.equal(A_Expr.lexpr, A_Expr.rexpr);
    else if (A_Expr.kind === 'AEXPR_IN' || A_Expr.kind === 'AEXPR_OP_ANY') this.equal(A_Expr.lexpr, undefined);
  }

  private equal(one: Node, other: Node): void {
    if (one?.RowExpr) {
      const others = other?.RowExpr?.args ?? [];
      one.RowExpr.args.forEach((part: Node, at: number) => {
        this.equal(part, others[at]);
      });
      return;
    }
    const [left, right] = [this.sidesOf(one), this.sidesOf(other)];
    for (const side of left ?? []) this.same.push([side, right?.[0] ?? someValue]);
    if (!left) for (const side of right ?? []) this.same.push([side, someValue]);
  }

  /** The table whose tenant it is; undefined if it is not a tenant. Without a qualifier, it is that of the only table that has one. */
  private sidesOf(node: Node): string[] | undefined {
    const fields: (string | undefined)[] | undefined = node?.ColumnRef?.fields?.map(
      (field: Node) => field.String?.sval,
    );
    if (fields?.at(-1) !== column) return undefined;
    return fields.length > 1 ? [fields.at(-2) as string] : [...this.tables.keys()];
  }
}
