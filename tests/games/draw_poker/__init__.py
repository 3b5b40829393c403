"""Tests of draw poker: the rules, sentence by sentence, and what always holds."""
