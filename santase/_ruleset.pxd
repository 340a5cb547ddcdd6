"""The rules object in the form the core works with."""

from santase._rules cimport Rules as CRules


cdef class RuleSet:
    cdef CRules c
    cdef readonly object rules      # the santase.Rules it was made of
    cdef readonly str text          # its notation
