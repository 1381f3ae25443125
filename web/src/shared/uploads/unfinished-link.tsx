import { Button } from '@mantine/core'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { Link } from 'react-router-dom'
import { describeUnfinished } from './describe-unfinished.ts'
import { useUnfinishedUploads } from './use-unfinished-uploads.ts'

/** Leads to the uploads of earlier visits that were not finished; nothing where there are none. */
export function UnfinishedLink() {
  const { files } = useUnfinishedUploads()
  if (files.length === 0) return null
  return (
    <Button
      component={Link}
      to="/upload"
      variant="subtle"
      size="sm"
      leftSection={<IconUpload size={16} stroke={1.5} />}
    >
      {describeUnfinished(files.length)}
    </Button>
  )
}
