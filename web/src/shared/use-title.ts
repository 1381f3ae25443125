import { useEffect } from 'react'
import { isolateName } from '#contract/isolated-name.ts'

/**
 * Sets the title of the browser tab. With `isFileName`, names in it are not isolated, because the browser makes a file name from the title,
 * as when a page is saved.
 */
export function useTitle(title: string, { isFileName = false } = {}): void {
  useEffect(() => {
    document.title = `${isFileName ? title : isolateName(title)} · Awaz`
  }, [title, isFileName])
}
