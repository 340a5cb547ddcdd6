"""Whether a position can come about under its rules."""

from santase._rules cimport Seen
from santase._ruleset cimport RuleSet


cdef int check_seen(Seen* s, RuleSet ruleset) except -1
