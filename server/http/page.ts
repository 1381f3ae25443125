interface PageQuery {
  page: number
  per_page: number
}

/** Presents a page of a list: the fields in addition to its rows. */
export function presentPage({ page, per_page: perPage }: PageQuery, total: number) {
  return { total, page, per_page: perPage, pages: Math.ceil(total / perPage) }
}
