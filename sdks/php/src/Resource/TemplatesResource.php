<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Resource;

use Vidimus\Model\UsableTemplateList;
use Vidimus\Resource;

/** What a verification can ask for. */
final class TemplatesResource extends Resource
{
    /** List the templates that this key can use. */
    public function list(): UsableTemplateList
    {
        return UsableTemplateList::from($this->call('GET', '/v1/templates', 'always'));
    }
}
