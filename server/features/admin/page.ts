interface PageQuery {
  page: number
  per_page: number
}

/** What a list answers beside its rows. */
export function pageOf({ page, per_page: perPage }: PageQuery, total: number) {
  return { total, page, per_page: perPage, pages: Math.ceil(total / perPage) }
}
