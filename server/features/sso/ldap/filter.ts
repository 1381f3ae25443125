import { Filter, FilterParser } from 'ldapts'
import { DirectoryUnavailable } from './directory-error.ts'

/**
 * Returns a setting's filter with its placeholders, such as `{username}`, replaced. Values are escaped (RFC 4515, section 3), so that none
 * can break out of its place or match several entries. Throws `DirectoryUnavailable` if the setting is not a filter.
 */
export function fillFilter(template: string, values: Record<string, string>): Filter {
  const text = template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? placeholder : Filter.escape(value)
  })
  try {
    return FilterParser.parseString(text)
  } catch {
    throw new DirectoryUnavailable(`“${template}” is not a search filter (RFC 4515). Please correct it.`)
  }
}
