<?php

declare(strict_types=1);

namespace Vidimus;

/** `waitForCompletion` timed out. The wallet may still respond. */
final class StillPendingException extends VidimusException
{
}
