/** The address of a user's page. */
export function userPath(id: string): string {
  return `/admin/user?id=${id}`
}
