import { useCallback, useState } from 'react'
import { useSearchParams, type SetURLSearchParams } from 'react-router-dom'

/**
 * As `useSearchParams`, but writes only while the address is that of the page that calls it. While the next page loads, the one before
 * stays on screen: what a timer of it wrote into the address then would lead back to it.
 */
export function useOwnSearchParams(): [URLSearchParams, SetURLSearchParams] {
  const [params, setParams] = useSearchParams()
  const [path] = useState(() => window.location.pathname)
  const setOwn = useCallback<SetURLSearchParams>(
    (next, options) => {
      if (window.location.pathname === path) void setParams(next, options)
    },
    [path, setParams],
  )
  return [params, setOwn]
}
