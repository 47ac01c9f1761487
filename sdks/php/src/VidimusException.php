<?php

declare(strict_types=1);

namespace Vidimus;

/** The base class of all exceptions of this package. */
class VidimusException extends \RuntimeException
{
}
