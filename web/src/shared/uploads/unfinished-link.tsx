import { Box, Button } from '@mantine/core'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { Link } from 'react-router-dom'
import { formatNumber } from '../format.ts'
import { describeUnfinished } from './describe-unfinished.ts'
import { useUnfinishedUploads } from './use-unfinished-uploads.ts'

/** Links to the unfinished uploads of earlier visits; renders nothing if there are none. */
export function UnfinishedLink() {
  const { files } = useUnfinishedUploads()
  if (files.length === 0) return null
  const label = describeUnfinished(files.length)
  return (
    <Button
      component={Link}
      to="/upload"
      variant="subtle"
      size="sm"
      flex="none"
      px={{ base: 'xs', sm: 'md' }}
      leftSection={<IconUpload size={16} stroke={1.5} />}
      aria-label={label}
      title={label}
    >
      <Box component="span" visibleFrom="sm">
        {label}
      </Box>
      <Box component="span" hiddenFrom="sm">
        {formatNumber(files.length)}
      </Box>
    </Button>
  )
}
