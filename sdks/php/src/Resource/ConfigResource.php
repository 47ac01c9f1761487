<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Resource;

use Vidimus\Model\AppliedConfig;
use Vidimus\Resource;

/** The whole configuration as one document. */
final class ConfigResource extends Resource
{
    /** Export the configuration. */
    public function export(): object
    {
        return $this->call('GET', '/v1/config', 'always', asObject: true);
    }

    /**
     * Apply a configuration.
     *
     * @param array<string, mixed>|object $document
     * @param bool|null $dryRun Plans and checks, and changes nothing.
     * @param bool|null $prune Deletes what the parts of the document do not name.
     * @param string|null $ifMatch The `ETag` of the configuration that you expect. If it has changed, nothing is applied.
     */
    public function apply(
        array|object $document, ?bool $dryRun = null, ?bool $prune = null, ?string $ifMatch = null,
    ): AppliedConfig
    {
        return AppliedConfig::from($this->call(
            'PUT', '/v1/config', $dryRun === true ? 'always' : 'unless_lost', body: $document,
            query: ['dry_run' => $dryRun, 'prune' => $prune], headers: ['If-Match' => $ifMatch],
        ));
    }
}
