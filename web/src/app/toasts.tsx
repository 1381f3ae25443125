import { useDirection } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { toastLimit } from '../shared/toast.tsx'

/** Where toasts appear: top right (accounts specification, section 2), and at the left where the navigation is at the right. */
export function Toasts() {
  const { dir } = useDirection()
  return <Notifications position={dir === 'rtl' ? 'top-left' : 'top-right'} limit={toastLimit} />
}
