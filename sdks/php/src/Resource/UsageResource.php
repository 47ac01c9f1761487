<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Resource;

use Vidimus\Model\Usage;
use Vidimus\Resource;

/** The daily quota and usage. */
final class UsageResource extends Resource
{
    /** Get the daily usage. */
    public function retrieve(): Usage
    {
        return Usage::from($this->call('GET', '/v1/usage', 'always'));
    }
}
