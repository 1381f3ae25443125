import { useCallback, useState } from 'react'
import { useSearchParams, type SetURLSearchParams } from 'react-router-dom'

/**
 * Like `useSearchParams`, but writes only while the address is that of the calling page. While the next page loads, the previous one stays
 * on screen: if one of its timers wrote to the address then, that would lead back to it.
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
