interface PageQuery {
  page: number
  per_page: number
}

/** Presents the page of a list: the fields beside its rows. */
export function presentPage({ page, per_page: perPage }: PageQuery, total: number) {
  return { total, page, per_page: perPage, pages: Math.ceil(total / perPage) }
}
